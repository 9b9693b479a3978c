// The audit rows about one request, newest first, as a page. They are few, so all of them are read.
import type { AuditRow } from '../../domain/audit/audit-row.ts';
import type { AuditPageQuery, ViewPage } from '../../domain/operator/view-ports.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';

/** A page of the audit rows of several requests: controllers may have chosen the same id. */
export async function auditOfRequests(
  { catalogue }: Pick<Store, 'catalogue'>,
  requests: readonly RequestKey[],
  query: AuditPageQuery,
): Promise<ViewPage<AuditRow, number>> {
  const rows: AuditRow[] = [];
  for (const { controllerId, subjectRequestId } of requests) {
    rows.push(...(await catalogue.auditOf(controllerId, subjectRequestId)));
  }
  const wanted = rows.filter((row) => fits(row, query)).sort((a, b) => b.auditNo - a.auditNo);
  const items = wanted.slice(0, query.limit);
  const next = items.length < wanted.length ? (items.at(-1)?.auditNo ?? null) : null;
  return { items, next };
}

function fits({ auditNo, actor, action, time }: AuditRow, query: AuditPageQuery): boolean {
  return (
    auditNo < (query.after ?? Number.POSITIVE_INFINITY) &&
    (query.actor === undefined || actor === query.actor) &&
    (query.action === undefined || action === query.action) &&
    (query.byOperators !== true || actor.startsWith('operator:')) &&
    time >= (query.since ?? Number.NEGATIVE_INFINITY) &&
    time < (query.until ?? Number.POSITIVE_INFINITY)
  );
}

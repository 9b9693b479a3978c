// The audit rows about one request, newest first, down to its creation, as a page. They are few, so all of them are
// read.
import type { AuditRow } from '../../domain/audit/audit-row.ts';
import type { AuditPageQuery, ViewPage } from '../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { creationRow } from './creation-row.ts';

/** A page of the audit rows of several requests: controllers may have chosen the same id. */
export async function auditOfRequests(
  { catalogue }: Pick<Store, 'catalogue'>,
  requests: readonly RequestSummary[],
  query: AuditPageQuery,
): Promise<ViewPage<AuditRow, number>> {
  const rows: AuditRow[] = [];
  for (const [index, request] of requests.entries()) {
    const created = creationRow(request);
    // Each its own number, so that a page may end between two of them.
    rows.push({ ...created, auditNo: created.auditNo - index });
    rows.push(...(await catalogue.auditOf(request.controllerId, request.subjectRequestId)));
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

// Rows of the audit log, newest first.

import type { AuditRow } from '../domain/audit/audit-row.ts';
import type { Store } from '../domain/store/store.ts';
import { shownJson } from '../domain/stored-json.ts';
import { UNNUMBERED } from './audit/creation-row.ts';
import { controllerOf } from './controller/find-controller.ts';
import { isoTime } from './iso-time.ts';

export interface AuditQuery {
  readonly controller?: string | undefined;
  readonly request?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: number | undefined;
  /** Inclusive. */
  readonly until?: number | undefined;
  readonly limit: number;
}

export async function listAudit(
  { auditLog, tenants }: Pick<Store, 'auditLog' | 'tenants'>,
  { controller, request, actor, action, since, until, limit }: AuditQuery,
): Promise<AuditRow[]> {
  const controllerId = await controllerOf(controller, tenants);
  return auditLog.list({
    limit,
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until: until + 1 }),
    ...(controllerId !== undefined && { controllerId }),
    ...(request !== undefined && { subjectRequestId: request }),
  });
}

export function auditRowShape(row: AuditRow) {
  return {
    audit_no: row.auditNo > UNNUMBERED ? row.auditNo : null,
    time: isoTime(row.time),
    actor: row.actor,
    action: row.action,
    controller_id: row.controllerId,
    subject_request_id: row.subjectRequestId,
    detail: row.detail === null ? null : shownJson(row.detail),
  };
}

// The status of requests according to the audit log, for those whose column says that they have ended.
import { auditClaim, type ClaimedAuditRow } from '../../../domain/audit/audit-claim.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import {
  loggedStatus,
  type ReadLoggedStatus,
  STATUS_ACTIONS,
} from '../../../domain/request/logged-status.ts';
import type { Database, Sql } from '../../sql.ts';
import { isCutSince } from '../audit/cut-audit.ts';
import { findRequest } from './request-no.ts';

type Found = ClaimedAuditRow & { readonly mac: Uint8Array | null };

export function createLoggedStatus(database: Database, macs: RowMacs): ReadLoggedStatus {
  return async (request, state) => {
    const rows = await readRows(database, request);
    const ours = rows.filter(({ mac, ...row }) => macs.verify(auditClaim(row), mac));
    if (loggedStatus(state, ours) === state.status) return state.status;
    // Its number is read only if the times do not decide.
    const own = await findRequest(database, request);
    const isOwn = (row: Found) => own !== undefined && Number(row.requestNo) === own.requestNo;
    const status = loggedStatus(
      state,
      ours.map((row) => ({ ...row, isOwn: isOwn(row) })),
    );
    if (status === state.status) return status;
    if (await isCutSince(database, macs, state.receivedTime)) return undefined;
    const { subjectRequestId } = state;
    const why = `its status says ${state.status}, and by the log it is ${status}`;
    macs.refuse({ kind: 'request', id: subjectRequestId }, why);
    return status;
  };
}

function readRows(
  sql: Sql,
  { controllerId, subjectRequestId }: Parameters<ReadLoggedStatus>[0],
): Promise<Found[]> {
  const tables = [...new Set(['@audit_rows', sql.dialect.arrivalTable])];
  const parts = tables.map(
    (table) => `SELECT time, actor, action, controller_id AS "controllerId",
        subject_request_id AS "subjectRequestId", detail, request_no AS "requestNo", mac
      FROM ${table}
      WHERE lower(subject_request_id) = :id
        AND controller_id = :controllerId AND action <> 'request.created'
        AND action = ANY(:actions::text[])`,
  );
  const id = subjectRequestId.toLowerCase();
  return sql.all(parts.join(' UNION ALL '), {
    id,
    controllerId,
    actions: STATUS_ACTIONS,
  });
}

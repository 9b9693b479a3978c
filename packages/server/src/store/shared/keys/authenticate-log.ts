// Adds MACs to audit rows and to requests from before there was a key.
import {
  auditClaim,
  type ClaimedAuditRow,
  type CreatedRequest,
  createdClaim,
} from '../../../domain/audit/audit-claim.ts';
import type { ClaimedRow } from '../../../domain/keys/row-macs.ts';
import { rowsOf, type Sql } from '../../sql.ts';
import { CLAIMED_COLUMNS } from '../audit/claimed-rows.ts';
import { CREATED_COLUMNS } from '../requests/as-created.ts';

/** Each page is one statement. */
const PAGE = 5000;

interface Numbered {
  readonly no: number;
}

export async function hasLogMacs(sql: Sql): Promise<boolean> {
  const found = await sql.get<{ has: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM @audit_rows WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @new_audit_rows WHERE mac IS NOT NULL)
         OR EXISTS (SELECT 1 FROM @requests WHERE created_mac IS NOT NULL) AS has`,
  );
  return Boolean(found?.has);
}

/** Runs in the transaction that adds the key. Returns how many rows got a MAC. */
export async function authenticateLog(sql: Sql): Promise<number> {
  const { arrivalNo } = sql.dialect;
  const log = {
    columns: CLAIMED_COLUMNS,
    mac: 'mac',
    claim: (row: object) => auditClaim(row as ClaimedAuditRow),
  };
  return (
    (await authenticate(sql, { ...log, table: '@audit_rows', key: 'audit_no' })) +
    (await authenticate(sql, { ...log, table: '@new_audit_rows', key: arrivalNo })) +
    (await authenticate(sql, {
      table: '@requests',
      key: 'request_no',
      columns: CREATED_COLUMNS,
      mac: 'created_mac',
      claim: (row) => createdClaim(row as CreatedRequest),
    }))
  );
}

interface Authenticated {
  readonly table: string;
  readonly key: string;
  readonly columns: string;
  readonly mac: string;
  readonly claim: (row: object) => ClaimedRow;
}

async function authenticate(sql: Sql, of: Authenticated): Promise<number> {
  const { table, key, columns, mac, claim } = of;
  let rows = 0;
  for (let after = 0; ; ) {
    const page = await sql.all<Numbered>(
      `SELECT ${key} AS no, ${columns} FROM ${table}
       WHERE ${key} > :after AND ${key} <= ${Number.MAX_SAFE_INTEGER} AND ${mac} IS NULL
       ORDER BY ${key} LIMIT ${PAGE}`,
      { after },
    );
    await sql.run(
      `UPDATE ${table} SET ${mac} = decode(it.mac, 'hex')
       FROM json_to_recordset(:page::json) AS it (no bigint, mac text) WHERE ${key} = it.no`,
      { page: rowsOf(page.map((row) => ({ no: row.no, mac: sql.rowMacs.compute(claim(row)) }))) },
    );
    rows += page.length;
    after = page.at(-1)?.no ?? after;
    if (page.length < PAGE) return rows;
  }
}

// Old rows of the audit log go, a head at a time. The head stays and vouches that they were there, so
// the chain still holds.
import type { Sql } from '../../sql.ts';

interface HeadRow {
  readonly headNo: number;
  readonly first: number;
  readonly last: number;
  readonly time: number;
}

/** The newest head keeps its rows whatever their age: numbering continues from the last row that exists. */
const OLDEST = `
  SELECT head_no AS "headNo", first_audit_no AS first, last_audit_no AS last, time
  FROM @audit_heads
  WHERE row_digests IS NOT NULL AND head_no < (SELECT max(head_no) FROM @audit_heads)
  ORDER BY head_no LIMIT 1`;

export async function anyAuditToCut(sql: Sql, sealedUntil: number): Promise<boolean> {
  const head = await sql.get<HeadRow>(OLDEST);
  return head !== undefined && head.time <= sealedUntil;
}

/**
 * Inside the caller's transaction: rows and digests go together, or the log would seem tampered with. And
 * no head before the ones before it: a node that finds another at it waits, and then leaves it.
 */
export async function cutAudit(sql: Sql, sealedUntil: number): Promise<number> {
  const head = await sql.get<HeadRow>(`${OLDEST} FOR UPDATE`);
  if (head === undefined || head.time > sealedUntil) return 0;
  const { first, last, headNo } = head;
  const rows = await sql.run('DELETE FROM @audit_rows WHERE audit_no BETWEEN :first AND :last', {
    first,
    last,
  });
  await sql.run('UPDATE @audit_heads SET row_digests = NULL WHERE head_no = :headNo', { headNo });
  return rows;
}

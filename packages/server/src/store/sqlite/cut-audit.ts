// Old rows of the audit log go, a head at a time. The head stays and vouches that they were there, so
// the chain still holds.
import type { DatabaseSync } from 'node:sqlite';

// The newest head keeps its rows whatever their age: numbers go on from the last row that is there.
const OLDEST = `
  SELECT head_no AS headNo, first_audit_no AS first, last_audit_no AS last, time
  FROM audit_heads
  WHERE row_digests IS NOT NULL AND head_no < (SELECT max(head_no) FROM audit_heads)
  ORDER BY head_no LIMIT 1`;

interface HeadRow {
  readonly headNo: number;
  readonly first: number;
  readonly last: number;
  readonly time: number;
}

function prepareOldest(database: DatabaseSync) {
  const select = database.prepare(OLDEST);
  return (sealedUntil: number): HeadRow | undefined => {
    const head = select.get() as HeadRow | undefined;
    return head !== undefined && head.time <= sealedUntil ? head : undefined;
  };
}

export function prepareAnyAuditToCut(database: DatabaseSync) {
  const oldest = prepareOldest(database);
  return (sealedUntil: number): boolean => oldest(sealedUntil) !== undefined;
}

/** Inside the caller's transaction: rows and digests go together, or the log would seem tampered with. */
export function prepareCutAudit(database: DatabaseSync) {
  const oldest = prepareOldest(database);
  const deleteRows = database.prepare('DELETE FROM audit_rows WHERE audit_no BETWEEN ? AND ?');
  const forgetDigests = database.prepare(
    'UPDATE audit_heads SET row_digests = NULL WHERE head_no = ?',
  );
  return (sealedUntil: number): number => {
    const head = oldest(sealedUntil);
    if (head === undefined) return 0;
    const { changes } = deleteRows.run(head.first, head.last);
    forgetDigests.run(head.headNo);
    return Number(changes);
  };
}

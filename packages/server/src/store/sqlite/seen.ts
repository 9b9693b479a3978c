import type { DatabaseSync } from 'node:sqlite';
import type { ControllerId } from '../../domain/controller-id.ts';
import type { Seen } from '../../domain/forgetting-ports.ts';

/** Digests are written when a request starts, so a pending one is not found. */
export function prepareSeen(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT request_no AS requestNo, subject_request_id AS subjectRequestId, status,
           received_time AS receivedTime, completed_time AS completedTime
    FROM identity_digests JOIN requests USING (request_no)
    WHERE digest = ? AND controller_id = ?
  `);
  return (controllerId: ControllerId, digests: readonly Uint8Array[]): Seen[] => {
    const found = new Map<number, Seen>();
    for (const digest of digests) {
      const rows = select.all(digest, controllerId) as unknown as (Seen & { requestNo: number })[];
      for (const { requestNo, ...seen } of rows) found.set(requestNo, seen);
    }
    return [...found].sort(([a], [b]) => a - b).map(([, seen]) => seen);
  };
}

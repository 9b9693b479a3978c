// Status reads of one event-loop iteration run in one read transaction: opening and closing a snapshot costs more
// than a read by key. Not shared: this is the hot path, and synchronous; on PostgreSQL many reads are one statement.
import type { DatabaseSync } from 'node:sqlite';
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import type { RequestKey, RequestState } from '../../domain/request/request.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';

interface Waiting {
  readonly key: RequestKey;
  readonly resolve: (state: RequestState | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

export type ReadStatus = (key: RequestKey) => Promise<RequestState | undefined>;

export function createReadStatus(database: DatabaseSync): ReadStatus {
  const select = database.prepare(`
    SELECT subject_request_id, status, received_time FROM requests
    WHERE controller_id = ? AND subject_request_id = ?
  `);
  select.setReturnArrays(true);
  const begin = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  let waiting: Waiting[] = [];

  function readOne({ controllerId, subjectRequestId }: RequestKey): RequestState | undefined {
    const row = select.get(controllerId, subjectRequestId) as unknown as
      | [SubjectRequestId, RequestStatus, number]
      | undefined;
    if (row === undefined) return undefined;
    return { subjectRequestId: row[0], status: row[1], receivedTime: row[2] };
  }

  function flush(): void {
    const batch = waiting;
    waiting = [];
    try {
      begin.run();
      const states = batch.map(({ key }) => readOne(key));
      commit.run();
      batch.forEach(({ resolve }, index) => {
        resolve(states[index]);
      });
    } catch (error) {
      const unavailable = new StoreUnavailable('the store could not be read', { cause: error });
      for (const { reject } of batch) reject(unavailable);
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ key, resolve, reject });
    });
}

import type { DatabaseSync } from 'node:sqlite';
import type { NewIntent } from '../../domain/fulfilment-ports.ts';

/** Inside the caller's transaction. A later preview of the same task adds to what is there. */
export function prepareRecordIntent(database: DatabaseSync) {
  const upsert = database.prepare(`
    INSERT INTO intents (task_no, counts, retained, first_time, master_key_id, wrapped_key, sealed)
    VALUES (:taskNo, :counts, :retained, :now, :masterKeyId, :wrappedKey, :sealed)
    ON CONFLICT (task_no) DO UPDATE
    SET counts = excluded.counts, retained = excluded.retained,
        master_key_id = excluded.master_key_id, wrapped_key = excluded.wrapped_key,
        sealed = excluded.sealed
  `);
  return ({ taskNo, counts, retained, keys }: NewIntent, now: number): void => {
    upsert.run({
      taskNo,
      counts: JSON.stringify(counts),
      retained: JSON.stringify(retained),
      now,
      masterKeyId: keys.masterKeyId,
      wrappedKey: keys.wrappedKey,
      sealed: keys.sealed,
    });
  };
}

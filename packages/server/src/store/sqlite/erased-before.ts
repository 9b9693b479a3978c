import type { DatabaseSync } from 'node:sqlite';

/**
 * Who had the same people erased at this target before, or was about to in the same batch: an attempt
 * that died after erasing leaves the younger of two requests nothing else to know it by. Digests include the controller, so that only
 * requests of the same one are ever named.
 */
export function prepareErasedBefore(database: DatabaseSync) {
  const select = database.prepare(`
    SELECT DISTINCT older.subject_request_id AS id
    FROM tasks AS mine
    JOIN identity_digests AS my_digest ON my_digest.request_no = mine.request_no
    JOIN identity_digests AS their_digest
      ON their_digest.digest = my_digest.digest AND their_digest.request_no <> mine.request_no
    JOIN tasks AS theirs
      ON theirs.request_no = their_digest.request_no AND theirs.target = mine.target
    JOIN requests AS older ON older.request_no = theirs.request_no
    WHERE mine.task_no = ? AND (
      (theirs.state = 'erased' AND theirs.evidence ->> '$.action' = 'erased')
      OR (theirs.state = 'running' AND theirs.batch_no = mine.batch_no
        AND theirs.request_no < mine.request_no
        AND EXISTS (SELECT 1 FROM intents WHERE intents.task_no = theirs.task_no))
    )
    ORDER BY older.request_no LIMIT 10
  `);
  return (taskNos: readonly number[]): Map<number, string[]> => {
    const found = new Map<number, string[]>();
    for (const taskNo of taskNos) {
      const ids = (select.all(taskNo) as { id: string }[]).map(({ id }) => id);
      if (ids.length > 0) found.set(taskNo, ids);
    }
    return found;
  };
}

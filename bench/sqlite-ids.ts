import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { UnwriteServer } from './servers.ts';

/** Ids of requests that the server has stored. */
export function sqliteIds(server: UnwriteServer, max: number): string[] {
  const database = new DatabaseSync(join(server.dataDir, 'unwrite.db'), { readOnly: true });
  const rows = database.prepare('SELECT subject_request_id AS id FROM requests LIMIT ?').all(max);
  database.close();
  return (rows as { id: string }[]).map(({ id }) => id);
}

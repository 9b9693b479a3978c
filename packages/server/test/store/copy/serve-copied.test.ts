import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markCopied, storeIdOf } from '../../../src/store/sqlite/copied-mark.ts';
import { databasePathIn } from '../../../src/store/sqlite/open-store.ts';
import { startServiceIn } from '../../helpers/servers/service.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = makeTemporaryFolder();
});
afterEach(() => folder.remove());

it('a server does not start on a store that was copied to PostgreSQL', async () => {
  await (await startServiceIn(folder.path, {})).close();
  const database = new DatabaseSync(databasePathIn(folder.path), { readOnly: true });
  const mark = { store: storeIdOf(database), schema: 'unwrite', time: '2026-11-16T00:00:00Z' };
  database.close();
  markCopied(folder.path, mark);

  await expect(startServiceIn(folder.path, {})).rejects.toThrow(/was copied to PostgreSQL/);
});

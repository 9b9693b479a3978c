import { closeSync, copyFileSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { requireWhole } from '../../../src/store/sqlite/require-whole.ts';
import { startServiceIn } from '../../helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../../helpers/servers/short-intervals.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

function folderHere(): string {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

it('notices a restored file beside the write-ahead log of the file before it', () => {
  const folder = folderHere();
  const path = join(folder, 'unwrite.db');
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE rows (id TEXT PRIMARY KEY, text TEXT)`);
  const fill = (rows: number) =>
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO rows SELECT hex(randomblob(16)), hex(randomblob(40)) FROM n`);
  const checkpoint = () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  fill(50);
  checkpoint();
  copyFileSync(path, `${path}-backup`);
  fill(5000);
  checkpoint();
  fill(50);
  expect(() => requireWhole(path)).not.toThrow();

  const restored = join(folderHere(), 'unwrite.db');
  copyFileSync(`${path}-backup`, restored);
  expect(() => requireWhole(restored)).not.toThrow();
  copyFileSync(`${path}-wal`, `${restored}-wal`);
  expect(() => requireWhole(restored)).toThrow(/is damaged .*remove .*unwrite.db-wal/);
});

it('a server whose store went back and is damaged does not start', async () => {
  const dataDir = folderHere();
  const settings = { publicUrl: 'http://unwrite.test' };
  await (await startServiceIn(dataDir, settings, SHORT_INTERVALS)).close();
  const path = join(dataDir, 'unwrite.db');
  const database = new DatabaseSync(path);
  const { place, size } = database
    .prepare(`SELECT (rootpage - 1) * page_size AS place, page_size AS size
              FROM sqlite_schema, pragma_page_size WHERE name = 'restore_findings'`)
    .get() as { place: number; size: number };
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size), 0, size, place);
  closeSync(file);
  const head = { head_no: 99, hash: 'ab'.repeat(32), time: new Date().toISOString() };
  writeFileSync(join(dataDir, 'audit-head.json'), JSON.stringify(head));
  const start = startServiceIn(dataDir, settings, SHORT_INTERVALS);
  await expect(start).rejects.toThrow('is damaged');
});

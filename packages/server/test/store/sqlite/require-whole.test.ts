import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { refuseMixed, requireWhole } from '../../../src/store/sqlite/require-whole.ts';
import { postJson } from '../../helpers/http/api.ts';
import { requestBody } from '../../helpers/http/request-body.ts';
import { startServiceIn } from '../../helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../../helpers/servers/short-intervals.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

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

  // Before the file is opened, it is read only where it is much newer than the log, as no checkpoint leaves it.
  expect(() => refuseMixed(restored)).not.toThrow();
  const age = (seconds: number) => {
    const then = Date.now() / 1000 - seconds;
    utimesSync(`${restored}-wal`, then, then);
  };
  age(5);
  expect(() => refuseMixed(restored)).not.toThrow();
  age(15);
  expect(() => refuseMixed(restored)).toThrow('is damaged');
  writeFileSync(`${restored}-wal`, '');
  age(15);
  expect(() => refuseMixed(restored)).not.toThrow();
});

describe('a server on a restored file beside the write-ahead log of the file before it', () => {
  const settings = { publicUrl: 'http://unwrite.test' };
  const start = (dataDir: string) => startServiceIn(dataDir, settings, SHORT_INTERVALS);

  const made = makeTemporaryFolder();
  afterAll(() => made.remove());

  /** The log has the newest head, but not the rows that were checkpointed before it. */
  beforeAll(async () => {
    const dataDir = join(made.path, 'before');
    mkdirSync(dataDir);
    const path = join(dataDir, 'unwrite.db');
    const service = await start(dataDir);
    const token = await service.token();
    const submit = async () =>
      (await postJson(`${service.url}/requests`, requestBody(), token)).status;
    const database = new DatabaseSync(path);
    const heads = () =>
      database.prepare('SELECT max(head_no) AS n FROM audit_heads').get() as { n: number };
    async function seal(count: number): Promise<void> {
      const { n } = heads();
      for (let i = 0; i < count; i++) expect(await submit()).toBe(201);
      await until(
        () => heads().n > n,
        () => 'nothing was sealed',
      );
    }
    const checkpoint = () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await seal(4);
    checkpoint();
    copyFileSync(path, `${path}-backup`);
    await seal(60);
    checkpoint();
    await seal(1);
    const mixed = join(made.path, 'mixed');
    mkdirSync(mixed);
    // Without those that are being written under another name, which may be gone in a moment.
    const whole = /^(audit|master|row|.*-wal)(?!.*\.new$)/;
    for (const name of readdirSync(dataDir).filter((it) => whole.test(it)))
      copyFileSync(join(dataDir, name), join(mixed, name));
    database.close();
    await service.close();
    copyFileSync(`${path}-backup`, join(mixed, 'unwrite.db'));
  });

  function mixedFolder(): string {
    const mixed = folderHere();
    cpSync(join(made.path, 'mixed'), mixed, { recursive: true });
    const minuteAgo = Date.now() / 1000 - 60;
    utimesSync(join(mixed, 'unwrite.db-wal'), minuteAgo, minuteAgo);
    return mixed;
  }

  it('does not start, although the log has the newest head', async () => {
    const mixed = mixedFolder();
    await expect(start(mixed)).rejects.toThrow('is damaged');
    // The files are as they were.
    await expect(start(mixed)).rejects.toThrow('is damaged');
  });

  it('does not start after another program has opened the file either', async () => {
    const mixed = mixedFolder();
    const database = new DatabaseSync(join(mixed, 'unwrite.db'));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    await expect(start(mixed)).rejects.toThrow('is damaged');
  });
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

it('a server whose file is replaced while it runs acknowledges nothing any more', async () => {
  const dataDir = folderHere();
  const service = await startServiceIn(
    dataDir,
    { publicUrl: 'http://unwrite.test' },
    SHORT_INTERVALS,
  );
  onTestFinished(() => service.close());
  const token = await service.token();
  const submit = async () =>
    (await postJson(`${service.url}/requests`, requestBody(), token)).status;
  expect(await submit()).toBe(201);
  const path = join(dataDir, 'unwrite.db');
  copyFileSync(path, `${path}-backup`);
  renameSync(`${path}-backup`, path);
  expect(await submit()).toBe(503);
});

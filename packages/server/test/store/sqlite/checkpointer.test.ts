import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CheckpointMode, createCheckpointer } from '../../../src/store/sqlite/checkpointer.ts';
import { BUSY_TIMEOUT_MS, openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { call, postJson } from '../../helpers/http/api.ts';
import { requestBody } from '../../helpers/http/request-body.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

const MEBIBYTE = 1_048_576;
/** A checkpoint that waited for a reader would do so for the whole of the busy timeout. */
const HELD_UP_MS = BUSY_TIMEOUT_MS - 300;

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token();
});
afterAll(() => service.close());

function wrappedKeyOf(id: unknown): Buffer {
  const database = openDatabase(join(service.dataDir, 'unwrite.db'), 'read');
  const row = database
    .prepare(
      `SELECT wrapped_key AS key FROM sealed_identities
       WHERE request_no = (SELECT request_no FROM requests WHERE subject_request_id = ?)`,
    )
    .get(String(id)) as { key: Uint8Array };
  database.close();
  return Buffer.from(row.key);
}

function isOnDisk(bytes: Buffer): boolean {
  return readdirSync(service.dataDir).some((name) =>
    readFileSync(join(service.dataDir, name)).includes(bytes),
  );
}

describe('the write-ahead log', () => {
  it('is cut soon after a cancellation, and the shredded key is gone from every file', async () => {
    const body = requestBody();
    await postJson(`${service.url}/requests`, body, token);
    const key = wrappedKeyOf(body.subject_request_id);
    expect(isOnDisk(key)).toBe(true);

    const url = `${service.url}/requests/${body.subject_request_id}`;
    expect((await call(url, { method: 'DELETE', token })).status).toBe(202);
    await vi.waitFor(() => expect(isOnDisk(key)).toBe(false), { timeout: 15_000, interval: 100 });
  });

  it('is truncated after a reader that blocked it, which delays no writes', async () => {
    const body = requestBody();
    await postJson(`${service.url}/requests`, body, token);
    const key = wrappedKeyOf(body.subject_request_id);
    const reader = openDatabase(join(service.dataDir, 'unwrite.db'), 'read');
    reader.exec('BEGIN; SELECT count(*) FROM requests');
    reader.prepare('SELECT count(*) FROM requests').get();
    const url = `${service.url}/requests/${body.subject_request_id}`;
    expect((await call(url, { method: 'DELETE', token })).status).toBe(202);

    const start = performance.now();
    while (performance.now() - start < 3000) {
      const sent = performance.now();
      await postJson(`${service.url}/requests`, requestBody(), token);
      expect(performance.now() - sent).toBeLessThan(HELD_UP_MS);
      await pause(100);
    }
    expect(isOnDisk(key)).toBe(true);
    reader.close();
    await vi.waitFor(() => expect(isOnDisk(key)).toBe(false), { timeout: 15_000, interval: 100 });
  });
});

describe('the checkpointer', () => {
  it.each(['here', 'by others'])('restarts a long log when enough was written %s', async (by) => {
    const folder = makeTemporaryFolder();
    const databasePath = join(folder.path, 'long.db');
    const database = openDatabase(databasePath, 'write');
    database.exec(`PRAGMA wal_autocheckpoint = 0; CREATE TABLE long (bytes BLOB);
      INSERT INTO long VALUES (zeroblob(${17 * MEBIBYTE}))`);
    const finished: CheckpointMode[] = [];
    const checkpointer = createCheckpointer({ databasePath }, async (mode) => {
      finished.push(mode);
      return true;
    });
    checkpointer.wrote(199);
    if (by === 'here') checkpointer.wrote(1);
    else checkpointer.copyLongLog();
    await vi.waitFor(() => expect(finished).toEqual(['PASSIVE']), { timeout: 10_000 });
    await checkpointer.close();
    const { busy, log, checkpointed } =
      database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
    expect([busy, checkpointed]).toEqual([0, log]);
    database.close();
    folder.remove();
  });
});

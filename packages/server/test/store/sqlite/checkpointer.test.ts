import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { call, postJson } from '../../helpers/api.ts';
import { requestBody } from '../../helpers/request-body.ts';
import { startService, type TestService } from '../../helpers/service.ts';

const MEBIBYTE = 1_048_576;

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token();
});
afterAll(() => service.close());

const logSize = () => statSync(join(service.dataDir, 'unwrite.db-wal')).size;

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

  it('is cut after a reader that was in the way, who holds nobody up', async () => {
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
      expect(performance.now() - sent).toBeLessThan(2500);
    }
    expect(isOnDisk(key)).toBe(true);
    reader.close();
    await vi.waitFor(() => expect(isOnDisk(key)).toBe(false), { timeout: 15_000, interval: 100 });
  });

  it('stays short under a long load', async () => {
    for (let round = 0; round < 60; round++) {
      const answers = await Promise.all(
        Array.from({ length: 200 }, () =>
          postJson(`${service.url}/requests`, requestBody(), token),
        ),
      );
      expect(answers.every(({ status }) => status === 201)).toBe(true);
    }
    expect(logSize()).toBeLessThan(48 * MEBIBYTE);
  }, 60_000);
});

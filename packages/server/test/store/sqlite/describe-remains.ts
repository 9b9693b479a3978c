// Wrapped keys of requests that were cancelled or shredded, looked for byte by byte in the files of the store.
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectRequestId } from '@unwrite/protocol';
import { expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { createForgettingStore } from '../../../src/store/shared/forgetting/forgetting-store.ts';
import { compact } from '../../../src/store/sqlite/compact.ts';
import { databaseOn } from '../../../src/store/sqlite/database.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { createWriteBatch } from '../../../src/store/sqlite/write-batch.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { TEST_AUTHENTICATOR, withTestMacs } from '../../helpers/stores/row-macs.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

const ACME = 'acme' as ControllerId;
const AT_ONCE = 200;

export interface Remains {
  /** After a restart, before the file is written anew. */
  readonly before: number;
  readonly after: number;
  readonly keys: number;
}

/** So many requests, half of them cancelled, in an order of their own; the others completed and shredded. */
export async function countRemains(requests: number): Promise<Remains> {
  const folder = makeTemporaryFolder();
  const store = withTestMacs(openSqliteStore(folder.path, () => 0));
  const ring = createMasterKeyRing([randomBytes(32)]);
  await store.vaultKeys.addMasterKeys(ring.current.id, [], 0);
  const controller = { controllerId: ACME, name: null, ssoOrganisation: null, createdTime: 0 };
  await store.tenantWriter.addController(controller, 'system');
  const database = openDatabase(store.databasePath, 'write');
  database.exec('PRAGMA synchronous = OFF');
  const write = createWriteBatch(
    database,
    createIdentityVault(ring).seal,
    () => 1,
    TEST_AUTHENTICATOR,
  );
  const ids: SubjectRequestId[] = [];
  for (let made = 0; made < requests; made += AT_ONCE) {
    const chunk = Array.from({ length: AT_ONCE }, () => randomUUID() as SubjectRequestId);
    ids.push(...chunk);
    write(
      chunk.map((subjectRequestId, n) => ({
        op: 'create' as const,
        request: {
          controllerId: ACME,
          subjectRequestId,
          regulation: 'gdpr' as const,
          actor: 'client:test',
          submittedTime: '2026-11-15T00:00:00Z',
          // Of different lengths: pages are filled and split in different places.
          identities: [new Identity('email', `${'x'.repeat((made + n * 37) % 180)}@example.com`)],
        },
      })),
    );
  }
  const keys = database
    .prepare('SELECT wrapped_key AS key FROM sealed_identities')
    .all()
    .map(({ key }) => Buffer.from(key as Uint8Array).toString('latin1'));
  const shuffled = ids.toSorted(() => Math.random() - 0.5);
  const cancelled = shuffled.slice(0, requests / 2);
  for (let at = 0; at < cancelled.length; at += AT_ONCE) {
    write(
      cancelled.slice(at, at + AT_ONCE).map((subjectRequestId) => ({
        op: 'cancel' as const,
        command: { controllerId: ACME, subjectRequestId, actor: 'test' },
      })),
    );
  }
  database.exec(
    "UPDATE requests SET status = 'completed', completed_time = 1 WHERE status = 'pending'",
  );
  const forgetting = createForgettingStore(withTestMacs(databaseOn(database)));
  while ((await forgetting.shred(2, AT_ONCE, 2)) > 0);
  const left = database.prepare('SELECT count(*) AS n FROM sealed_identities').get()?.n;
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  await store.close();
  await restart(folder.path);
  const before = countIn(folder.path, keys);
  const again = openDatabase(store.databasePath, 'write');
  compact(again);
  again.close();
  await restart(folder.path);
  const after = countIn(folder.path, keys);
  folder.remove();
  expect([keys.length, left]).toEqual([requests, 0]);
  return { before, after, keys: keys.length };
}

/** Reads its log if there is one, and looks for migrations. */
async function restart(folder: string): Promise<void> {
  await openSqliteStore(folder, () => 3).close();
}

/** One pass over each file: three bytes tell nearly all places that cannot be one. */
function countIn(folder: string, keys: readonly string[]): number {
  const wanted = new Set(keys);
  const length = keys[0]?.length ?? 0;
  const begins = new Uint8Array(1 << 24);
  const at = (bytes: Buffer, i: number) =>
    ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
  for (const key of keys) begins[at(Buffer.from(key, 'latin1'), 0)] = 1;
  const found = new Set<string>();
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (let i = 0; i + length <= bytes.length; i++) {
      if (begins[at(bytes, i)] === 0) continue;
      const there = bytes.toString('latin1', i, i + length);
      if (wanted.has(there)) found.add(there);
    }
  }
  return found.size;
}

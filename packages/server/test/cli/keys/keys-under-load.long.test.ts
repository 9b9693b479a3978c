// Requests keep coming in while the master key is rotated.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { SealedBytes } from '../../../src/domain/task/fulfilment-ports.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../../src/vault/master-key-file.ts';
import { createIdentityVault } from '../../../src/vault/seal-identities.ts';
import { startServerProcess } from '../../helpers/servers/server-process.ts';
import { DEFAULT_STORE } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

const shop = useShop({ cancellation_window: '1h' }, DEFAULT_STORE, startServerProcess);
const emails = new Map<string, string>();
const dataDir = () => shop.options().dataDir;
const keys = () => readMasterKeyFile(`${dataDir()}/master.key`);

async function submitOne(): Promise<void> {
  const email = `${randomUUID()}@example.com`;
  emails.set(await shop.submit('acme', [['email', email]]), email);
}

/** All that was ever acknowledged is there, sealed under this key, and opens with it alone. */
async function expectAllUnder(masterKeyId: string): Promise<void> {
  const rows = (await shop.inStore(`
    SELECT controller_id AS "controllerId", subject_request_id AS "subjectRequestId",
           master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey", sealed
    FROM requests JOIN sealed_identities USING (request_no)
  `)) as unknown as (RequestKey & SealedBytes)[];
  const vault = createIdentityVault(createMasterKeyRing(keys().slice(0, 1)));
  expect(rows).toHaveLength(emails.size);
  for (const row of rows) {
    expect(row.masterKeyId).toBe(masterKeyId);
    expect(vault.open(row, row)[0]?.reveal()).toBe(emails.get(row.subjectRequestId));
  }
}

it('a rotation loses nothing that is added during it, and reseals all of it', async () => {
  let isRotating = true;
  const send = async () => {
    while (isRotating) await submitOne();
  };
  const senders = [send(), send(), send(), send()];
  const { master_key: current, done } = await shop.json('keys', 'rotate');
  isRotating = false;
  await Promise.all(senders);
  expect(done).toBe(true);
  expect(emails.size).toBeGreaterThan(10);
  await expectAllUnder(current);
});

it('a server that is killed in the middle of a rotation continues with it when it runs again', async () => {
  await Promise.all(Array.from({ length: 200 }, submitOne));
  const before = keys().length;
  const rotating = shop.json('keys', 'rotate');
  await expect.poll(() => keys().length, { interval: 5, timeout: 15_000 }).toBe(before + 1);
  await shop.server().kill('SIGKILL');
  await shop.serveAgain();
  await submitOne();
  const { master_key: current, done } = await rotating;
  expect(done).toBe(true);
  await expectAllUnder(current);
});

// Requests keep coming in while the master key is rotated.
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { SealedBytes } from '../../src/domain/fulfilment-ports.ts';
import type { RequestKey } from '../../src/domain/request.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../src/vault/master-key-file.ts';
import { createIdentityVault } from '../../src/vault/seal-identities.ts';
import { useShop } from './use-shop.ts';

const shop = useShop({ cancellation_window: '1h' });

it('a rotation loses nothing that comes in meanwhile, and moves all of it', async () => {
  const emails = new Map<string, string>();
  let isRotating = true;
  const send = async () => {
    while (isRotating) {
      const email = `${randomUUID()}@example.com`;
      emails.set(await shop.submit('acme', [['email', email]]), email);
    }
  };
  const senders = [send(), send(), send(), send()];
  const { master_key: current } = await shop.json('keys', 'rotate');
  isRotating = false;
  await Promise.all(senders);

  const path = shop.options().dataDir;
  const database = new DatabaseSync(`${path}/unwrite.db`, { readOnly: true });
  const rows = database
    .prepare(`
      SELECT controller_id AS controllerId, subject_request_id AS subjectRequestId,
             master_key_id AS masterKeyId, wrapped_key AS wrappedKey, sealed
      FROM requests JOIN sealed_identities USING (request_no)
    `)
    .all() as unknown as (RequestKey & SealedBytes)[];
  database.close();
  const [newest] = readMasterKeyFile(`${path}/master.key`);
  if (newest === undefined) throw new Error('there is no key');
  // The new key alone.
  const vault = createIdentityVault(createMasterKeyRing([newest]));
  expect(emails.size).toBeGreaterThan(10);
  expect(rows).toHaveLength(emails.size);
  for (const row of rows) {
    expect(row.masterKeyId).toBe(current);
    expect(vault.open(row, row)[0]?.reveal()).toBe(emails.get(row.subjectRequestId));
  }
});

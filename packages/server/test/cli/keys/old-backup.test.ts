// Whether a guess about a person can be tested against an old backup: only with the master key of that time.
import { describe, expect, it } from 'vitest';
import type { DigestKeyStore } from '../../../src/domain/keys/digest-key-ports.ts';
import { SecretUnreadable } from '../../../src/domain/keys/missing-secret.ts';
import type { OwnSecretStore } from '../../../src/domain/keys/secret-ports.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { loadDigestKeys } from '../../../src/vault/digest-keys.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../../src/vault/master-key-file.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import { storesInMatrix } from '../../helpers/stores/test-store.ts';
import { useShop } from '../use-shop.ts';

const ACME = 'acme' as ControllerId;
const GUESSES = Array.from({ length: 2000 }, (_, n) => `person${n}@example.com`);
const PERSON = 'person1234@example.com';

for (const kind of await storesInMatrix('cli/keys/old-backup')) {
  describe(`an old backup of a store on ${kind}`, () => {
    const shop = useShop({}, kind);
    const { json, inStore, submit, untilTask, addRows } = shop;
    const masterKeys = () => readMasterKeyFile(`${shop.options().dataDir}/master.key`);

    interface Backup {
      readonly secrets: ReadonlyMap<string, Uint8Array>;
      readonly digests: ReadonlySet<string>;
    }

    const bytesOf = (value: unknown) => Buffer.from(value as Uint8Array);

    async function takeBackup(): Promise<Backup> {
      const secrets = await inStore('SELECT name, sealed FROM own_secrets');
      const digests = await inStore('SELECT digest FROM identity_digests');
      return {
        secrets: new Map(secrets.map(({ name, sealed }) => [String(name), bytesOf(sealed)])),
        digests: new Set(digests.map(({ digest }) => bytesOf(digest).toString('hex'))),
      };
    }

    /** Who is found with these master keys. */
    async function guess(backup: Backup, keys: readonly Uint8Array[]): Promise<string[]> {
      const { secrets, digests } = backup;
      const loaded = await loadDigestKeys(
        {
          ownSecrets: {
            ownSecret: async (name) => secrets.get(name),
            madeWith: async () => null,
            addOwnSecret: () => Promise.reject(new Error('a backup is not written to')),
          } as Partial<OwnSecretStore> as OwnSecretStore,
          digestKeys: {
            digestKeys: async () =>
              [...secrets]
                .filter(([name]) => name.startsWith('identity digests'))
                .map(([name, sealed]) => ({ name, sealed })),
          } as Partial<DigestKeyStore> as DigestKeyStore,
        },
        createSecretSealer(createMasterKeyRing(keys)),
        0,
      ).catch((error) => {
        if (error instanceof SecretUnreadable) return undefined;
        throw error;
      });
      if (loaded === undefined) return [];
      return GUESSES.filter((email) =>
        loaded
          .digestAll(ACME, new Identity('email', email))
          .some((digest) => digests.has(bytesOf(digest).toString('hex'))),
      );
    }

    it('shows who was erased only as long as the master key of its time exists', async () => {
      addRows('acme', PERSON, 1);
      await untilTask(await submit('acme', [['email', PERSON]]), 'acme', 'erased');
      const backup = await takeBackup();
      expect(backup.digests.size).toBeGreaterThan(0);
      expect(await guess(backup, masterKeys())).toEqual([PERSON]);

      const [old] = await json('keys', 'list');
      await json('keys', 'rotate');
      expect(await guess(backup, masterKeys())).toEqual([PERSON]);
      await json('keys', 'destroy', old.master_key, '--force');
      expect(await guess(backup, masterKeys())).toEqual([]);
      // Not so what is in the store: its records have not ended.
      expect(await guess(await takeBackup(), masterKeys())).toEqual([PERSON]);
    });
  });
}

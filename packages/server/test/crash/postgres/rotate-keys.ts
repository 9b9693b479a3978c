// Replaces keys of every kind while nodes work and die: the master key, those that sign heads, receipts and tokens, and
// those of digests.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../src/store/postgres/database.ts';
import { createDigestKeyStore } from '../../../src/store/shared/keys/digest-keys.ts';
import { createOwnSecretStore } from '../../../src/store/shared/keys/own-secrets.ts';
import { loadDigestKeys } from '../../../src/vault/digest-keys.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { readMasterKeyFile } from '../../../src/vault/master-key-file.ts';
import { openRowKey } from '../../../src/vault/row-key.ts';
import { createSecretSealer } from '../../../src/vault/seal-secret.ts';
import type { NodeProcesses } from '../../helpers/servers/node-processes.ts';

const EVERY_MS = 500;
const YEARS_MS = 10 * 365 * 86_400_000;

export interface Rotations {
  /** Each kind once more, and then no more; answers how many were made of each kind. */
  finish(): Promise<Record<string, number>>;
}

export function rotateKeys(nodes: NodeProcesses, database: Database): Rotations {
  const kinds: Record<string, () => Promise<unknown>> = {
    master: () => nodes.command(['keys', 'rotate']),
    proof: () => nodes.command(['audit', 'rotate-key']),
    token: () => nodes.command(['signing-key', 'rotate']),
    digest: () => replaceDigestKey(nodes.masterKeyFile, database),
  };
  const made: Record<string, number> = { master: 0, proof: 0, token: 0, digest: 0 };
  let isRunning = true;

  async function rotate(kind: string): Promise<void> {
    await kinds[kind]?.();
    made[kind] = (made[kind] ?? 0) + 1;
  }

  async function run(): Promise<void> {
    for (let n = 0; isRunning; n++) {
      await pause(EVERY_MS);
      // The database may be away.
      await rotate(Object.keys(kinds)[n % 4] as string).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async finish() {
      isRunning = false;
      await running;
      for (const kind of Object.keys(kinds)) await rotate(kind);
      return made;
    },
  };
}

/** As the server does when a period has ended. */
async function replaceDigestKey(masterKeyFile: string, database: Database): Promise<void> {
  const parts = {
    ownSecrets: createOwnSecretStore(database),
    digestKeys: createDigestKeyStore(database),
  };
  const sealer = createSecretSealer(createMasterKeyRing(readMasterKeyFile(masterKeyFile)));
  database.rowMacs.setKey(await openRowKey(parts.ownSecrets, sealer));
  const keys = await loadDigestKeys(parts, sealer, Date.now());
  await keys.maintain(0, YEARS_MS, Date.now());
}

// Which keys this process works with: the master key as given, checked against what the store needs.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Clock, VaultKeyStore } from '../domain/ports.ts';
import { KEY_BYTES } from './aes-gcm.ts';
import {
  createMasterKeyRing,
  type MasterKey,
  type MasterKeyRing,
  parseMasterKey,
} from './master-key.ts';
import { makeMasterKeyFile, readMasterKeyFile } from './master-key-file.ts';
import { createSecretSealer } from './seal-secret.ts';

const DIGEST_KEY_CONTEXT = 'digest key';

/** The master key is missing, malformed, or not the one that this store was made with. */
export class MasterKeyProblem extends Error {
  override readonly name = 'MasterKeyProblem';
}

export interface MasterKeySource {
  /** As given by the environment; wins over the file. */
  readonly masterKey: string | undefined;
  readonly masterKeyFile: string;
}

export interface VaultKeys {
  readonly ring: MasterKeyRing;
  /** Current first. */
  readonly masterKeys: readonly Uint8Array[];
  readonly digestKey: Uint8Array;
}

export function loadVaultKeys(
  source: MasterKeySource,
  store: VaultKeyStore,
  clock: Clock,
): VaultKeys {
  const needed = store.masterKeyIds();
  const keys = readKeys(source, needed.length === 0);
  const ring = createMasterKeyRing(keys);
  if (needed.length > 0 && needed.every((id) => ring.byId(id) === undefined)) {
    throw new MasterKeyProblem(
      `the master key (${ring.current.id}) is not the one that this store was made with (${needed.join(', ')}); give the right one by UNWRITE_MASTER_KEY or UNWRITE_MASTER_KEY_FILE`,
    );
  }
  const sealer = createSecretSealer(ring);
  if (store.wrappedDigestKey() === undefined) {
    store.found(ring.current.id, sealer.seal(randomBytes(KEY_BYTES), DIGEST_KEY_CONTEXT), clock());
  }
  const wrapped = store.wrappedDigestKey();
  if (wrapped === undefined) throw new Error('the store did not keep its digest key');
  return {
    ring,
    masterKeys: keys.map(({ key }) => key.export()),
    digestKey: sealer.open(wrapped, DIGEST_KEY_CONTEXT),
  };
}

function readKeys(source: MasterKeySource, isNewStore: boolean): [MasterKey, ...MasterKey[]] {
  if (source.masterKey !== undefined) {
    const key = parseMasterKey(source.masterKey);
    if (key === undefined) {
      throw new MasterKeyProblem(
        'UNWRITE_MASTER_KEY must be 32 bytes in base64 or hexadecimal; `openssl rand -base64 32` makes one',
      );
    }
    return [key];
  }
  const path = source.masterKeyFile;
  if (!existsSync(path)) {
    if (!isNewStore) {
      throw new MasterKeyProblem(
        `the master key file ${path} is missing; without it sealed identities cannot be opened. Put it back, or give the key by UNWRITE_MASTER_KEY`,
      );
    }
    makeFileOnce(path);
  }
  const [first, ...others] = readFile(path);
  if (first === undefined) throw new MasterKeyProblem(`the master key file ${path} holds no key`);
  return [first, ...others];
}

/** Two processes may find the store new at once: one makes the file, both read it. */
function makeFileOnce(path: string): void {
  try {
    makeMasterKeyFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new MasterKeyProblem(`the master key file ${path} cannot be made (${code})`);
    }
  }
}

function readFile(path: string): MasterKey[] {
  try {
    return readMasterKeyFile(path);
  } catch (error) {
    throw new MasterKeyProblem((error as Error).message);
  }
}

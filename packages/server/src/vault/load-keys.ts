// The master keys of this process: loads the given ones, and checks them against what the store needs.
import { existsSync } from 'node:fs';
import type { Clock } from '../domain/clock.ts';
import type { VaultKeyStore } from '../domain/keys/secret-ports.ts';
import {
  createMasterKey,
  createMasterKeyRing,
  type MasterKeyRing,
  parseMasterKey,
} from './master-key.ts';
import { makeMasterKeyFile, readMasterKeyFile, readMasterKeys } from './master-key-file.ts';

/** The master key is missing, malformed, or not the one with which this store was created. */
export class MasterKeyProblem extends Error {
  override readonly name = 'MasterKeyProblem';
}

export interface MasterKeySource {
  /** Given by the environment; takes precedence over the file. */
  readonly masterKey: string | undefined;
  readonly masterKeyFile: string;
  /** Earlier keys, in addition to those in the file. */
  readonly masterKeyPrevious?: readonly string[] | undefined;
}

/** The master keys of a store. */
export interface StoredIds {
  readonly needed: readonly string[];
  /** Also those that were retired or destroyed. */
  readonly all: readonly string[];
}

export interface VaultKeys {
  readonly ring: MasterKeyRing;
  /** The current key first. */
  readonly masterKeys: readonly Uint8Array[];
  /** The file in which they can be changed; null if they come from the environment. */
  readonly file: string | null;
  /**
   * Reads them again from their source; code that holds the ring then uses the new keys. Throws, and keeps those that
   * it has, if one of them is needed and not in the source any more, or if the source has no key of this store.
   */
  reload(stored?: StoredIds): void;
  /** A key that the store needs and the source did not have when it was last read. */
  readonly lacking: string | undefined;
  /** Records those that the store does not know. */
  record(): Promise<void>;
  /** Throws if one of these keys is only in the memory of this process: it is lost when the process ends. */
  requireKept(masterKeyIds: readonly string[]): void;
}

export async function loadVaultKeys(
  source: MasterKeySource,
  store: VaultKeyStore,
  clock: Clock,
): Promise<VaultKeys> {
  let needed = await store.masterKeyIds();
  const ring = createThreadRing(readAllKeys(source, needed.length === 0), source);
  // Another node may also have found the store empty, and may have been first with its own key.
  if (needed.length === 0 && !(await store.addFirstMasterKey(ring.current.id, clock()))) {
    needed = await store.masterKeyIds();
  }
  const absent = needed.filter((id) => ring.byId(id) === undefined);
  if (absent.length > 0 && absent.length < needed.length) {
    throw new MasterKeyProblem(
      `the store also uses the master key ${absent.join(', ')}, which this node does not have: give it too, by UNWRITE_MASTER_KEY_FILE or UNWRITE_MASTER_KEY_PREVIOUS. If none of your keys ever had that id, someone else has written its row: remove it from the table master_keys`,
    );
  }
  if (absent.length > 0) {
    throw new MasterKeyProblem(
      `the master key (${ring.current.id}) is not the one that this store was made with (${needed.join(', ')}); give the right one by UNWRITE_MASTER_KEY or UNWRITE_MASTER_KEY_FILE`,
    );
  }
  const record = () => store.addMasterKeys(ring.current.id, earlierIds(source), clock());
  await record();
  let lacking: string | undefined;
  const held = (ids: readonly string[]) => ids.filter((id) => ring.has(id));
  return {
    ring,
    get masterKeys() {
      return ring.keys;
    },
    get lacking() {
      return lacking;
    },
    file: source.masterKey === undefined ? source.masterKeyFile : null,
    reload(stored) {
      const lookFor = () => stored?.needed.find((id) => !ring.has(id));
      lacking = lookFor();
      const newer = readAllKeys(source, false);
      if (stored !== undefined) {
        const path = source.masterKeyFile;
        requireAmong(newer, held(stored.needed), `the master key file ${path} was changed`);
        requireOwn(newer, stored.all, path);
      }
      ring.use(newer);
      lacking = lookFor();
    },
    record,
    requireKept: (masterKeyIds) => requireInSource(source, held(masterKeyIds)),
  };
}

function requireInSource(source: MasterKeySource, masterKeyIds: readonly string[]): void {
  const path = source.masterKeyFile;
  let kept: readonly Uint8Array[] = [];
  let reason = `the master key file ${path} was changed`;
  try {
    kept = readAllKeys(source, false);
  } catch (error) {
    reason = `the master key file ${path} cannot be read any more`;
    if (!(error instanceof MasterKeyProblem)) throw error;
  }
  requireAmong(kept, masterKeyIds, reason);
}

function requireAmong(
  kept: readonly Uint8Array[],
  masterKeyIds: readonly string[],
  reason: string,
): void {
  const keptIds = kept.map((key) => createMasterKey(key).id);
  const lost = masterKeyIds.filter((id) => !keptIds.includes(id));
  if (lost.length === 0) return;
  throw new MasterKeyProblem(
    `${reason}: only this running server has the master key ${lost.join(', ')}, which the store needs. Put a copy of the file with that key back before the server is stopped`,
  );
}

/** A foreign key that this process took up would keep all other nodes from starting. */
function requireOwn(
  given: readonly Uint8Array[],
  masterKeyIds: readonly string[],
  path: string,
): void {
  if (given.some((key) => masterKeyIds.includes(createMasterKey(key).id))) return;
  throw new MasterKeyProblem(`the master key file ${path} holds no key of this store`);
}

/** Looks for keys that it was not given in their source. */
export function createThreadRing(masterKeys: readonly Uint8Array[], source: MasterKeySource) {
  return createMasterKeyRing(masterKeys, () => readAllKeys(source, false));
}

function readAllKeys(source: MasterKeySource, isNewStore: boolean): Uint8Array[] {
  const previous = (source.masterKeyPrevious ?? []).flatMap((text) => parseMasterKey(text) ?? []);
  return [...readKeys(source, isNewStore), ...previous];
}

/** Not those of UNWRITE_MASTER_KEY_PREVIOUS: a key that is about to be taken up is given there first. */
function earlierIds(source: MasterKeySource): string[] {
  const [, ...earlier] = readKeys(source, false);
  return earlier.map((key) => createMasterKey(key).id);
}

function readKeys(source: MasterKeySource, isNewStore: boolean): Uint8Array[] {
  if (source.masterKey !== undefined) {
    // Also accepts the whole text of a master key file, with its comments.
    const given = readMasterKeys(source.masterKey);
    const keys = given.filter((key) => key !== undefined);
    if (keys.length === 0 || keys.length < given.length) {
      throw new MasterKeyProblem(
        'UNWRITE_MASTER_KEY must be 32 bytes in base64 or hexadecimal, or the text of a master key file; `openssl rand -base64 32` makes one',
      );
    }
    return keys;
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
  const keys = readFile(path);
  if (keys.length === 0) throw new MasterKeyProblem(`the master key file ${path} holds no key`);
  return keys;
}

/** Two processes may find the store empty at once: one creates the file, both read it. */
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

function readFile(path: string): Uint8Array[] {
  try {
    return readMasterKeyFile(path);
  } catch (error) {
    throw new MasterKeyProblem((error as Error).message);
  }
}

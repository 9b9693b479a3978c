// Makes a new master key and moves all sealed data to it. If a server is running, the server moves the data as soon
// as it has loaded the key.
import { currentMasterKey, destroyableFrom, keysToLeave } from '../../domain/keys/master-keys.ts';
import type { Store } from '../../domain/store/store.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { isoTime } from '../iso-time.ts';
import type { MasterKeyAccess } from './master-key-access.ts';

const WAIT_FOR_SERVER_MS = 60_000;
const LOOK_MS = 200;

const FROM_OUTSIDE =
  'the master key is given by UNWRITE_MASTER_KEY, so it is changed there: give the new key as UNWRITE_MASTER_KEY and this one as UNWRITE_MASTER_KEY_PREVIOUS, and restart the server; "unwrite keys list" says when the earlier one may be destroyed';

export interface RotationParts {
  readonly store: Pick<Store, 'masterKeys' | 'clock'>;
  readonly access: MasterKeyAccess;
  /** Does the work only while no server runs on this store; returns whether it did. */
  unlessServed(work: () => Promise<void>): Promise<boolean>;
  /** Moves a part of the sealed data; returns whether there is more. */
  moveSome(now: number): Promise<boolean>;
  readonly retentionBackupsMs: () => number;
}

export interface Rotation {
  readonly master_key: string;
  /** Everything is moved; if false, the server continues. */
  readonly done: boolean;
  readonly retired: readonly {
    readonly master_key: string;
    readonly destroyable_time: string | null;
  }[];
}

export async function rotateKeys(parts: RotationParts, by: Actor): Promise<Rotation> {
  const id = await newKey(parts, by);
  const done = await moveAll(parts);
  const keys = await parts.store.masterKeys.masterKeys();
  const retired = keys
    .filter((key) => key.retiredTime !== null && key.destroyedTime === null)
    .map((key) => ({
      master_key: key.masterKeyId,
      destroyable_time: isoTime(destroyableFrom(key, parts.retentionBackupsMs())),
    }));
  return { master_key: id, done, retired };
}

/** Finishes an interrupted rotation instead of beginning another. */
async function newKey({ store, access }: RotationParts, by: Actor): Promise<string> {
  const { addToFile } = access;
  if (addToFile === null) throw new NotPossible(FROM_OUTSIDE);
  const keys = await store.masterKeys.masterKeys();
  const adopted = currentMasterKey(keys)?.masterKeyId ?? access.currentId();
  const isUnfinished = adopted !== access.currentId() || keysToLeave(keys).length > 0;
  if (isUnfinished) return access.currentId();
  const id = await store.masterKeys.add(addToFile, by);
  access.reload();
  return id;
}

async function moveAll({ store, access, unlessServed, moveSome }: RotationParts): Promise<boolean> {
  const { masterKeys, clock } = store;
  const isDone = async () => {
    const keys = await masterKeys.masterKeys();
    const current = currentMasterKey(keys)?.masterKeyId;
    return current === access.currentId() && keysToLeave(keys).length === 0;
  };
  // If no server is running that would keep sealing with an earlier key, the next one will load this key.
  const isAlone = await unlessServed(() => masterKeys.adopt(access.currentId(), clock()));
  if (!isAlone) return until(isDone);
  while (await moveSome(clock()));
  return isDone();
}

async function until(isDone: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + WAIT_FOR_SERVER_MS;
  while (!(await isDone()) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return isDone();
}

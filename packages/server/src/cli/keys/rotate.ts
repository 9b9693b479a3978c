// `unwrite keys rotate`: a new master key, and everything that is sealed moved to it. Beside a running
// server that one does the moving, as soon as it has taken the key up.
import type { Command } from 'commander';
import type { Installation } from '../../app/service.ts';
import type { Config } from '../../config/config.ts';
import { currentMasterKey, destroyableFrom, keysToLeave } from '../../domain/keys/master-keys.ts';
import { NODE_ALIVE_MS } from '../../domain/store/node-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import { takeServeLock } from '../../store/sqlite/serve-lock.ts';
import { addToKeyFile } from '../../vault/change-key-file.ts';
import { createRewrap } from '../../vault/rewrap.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, time } from '../shared/output.ts';

const WAIT_FOR_SERVER_MS = 60_000;
const LOOK_MS = 200;

const FROM_OUTSIDE =
  'the master key is given by UNWRITE_MASTER_KEY, so it is changed there: give the new key as UNWRITE_MASTER_KEY and this one as UNWRITE_MASTER_KEY_PREVIOUS, and restart the server; "unwrite keys list" says when the earlier one may be destroyed';

export function addKeysRotate(keys: Command): void {
  const rotate = keys
    .command('rotate')
    .description('Seal with a new key, and move everything to it; finishes what was cut off');
  withActor(withJson(withSettings(rotate))).action(({ json }: { json?: boolean }) =>
    withInstallation(rotate, async (installation, config) => {
      const { store } = installation;
      const id = await newKey(installation, actorOf(rotate));
      const isDone = await moveAll(installation, config);
      const retired = (await store.masterKeys.masterKeys())
        .filter((key) => key.retiredTime !== null && key.destroyedTime === null)
        .map((key) => ({
          master_key: key.masterKeyId,
          destroyable_time: time(destroyableFrom(key, config.retentionBackups * 1000)),
        }));
      if (json) printJson({ master_key: id, done: isDone, retired });
      else {
        printLines(
          `Sealed with ${id} from now on.`,
          isDone
            ? 'Everything is moved to it.'
            : 'The server moves what is left to it; "unwrite keys list" shows how far it is.',
          ...retired.map(
            (key) => `${key.master_key} is retired; it is destroyed after ${key.destroyable_time}.`,
          ),
          'Keep a copy of the master key file apart from the backups of the data.',
        );
      }
    }),
  );
}

/** A rotation that was cut off is finished instead of beginning another. */
async function newKey({ store, vaultKeys }: Installation, actor: string): Promise<string> {
  const { file, ring } = vaultKeys;
  if (file === null) throw new CommandFailure(FROM_OUTSIDE);
  const keys = await store.masterKeys.masterKeys();
  const adopted = currentMasterKey(keys)?.masterKeyId ?? ring.current.id;
  const isUnfinished = adopted !== ring.current.id || keysToLeave(keys).length > 0;
  if (isUnfinished) return ring.current.id;
  const id = await store.masterKeys.add(() => addToKeyFile(file), { actor, now: store.clock() });
  vaultKeys.reload();
  return id;
}

async function moveAll(installation: Installation, { dataDir }: Config): Promise<boolean> {
  const { masterKeys, clock } = installation.store;
  const { ring } = installation.vaultKeys;
  const isDone = async () => {
    const keys = await masterKeys.masterKeys();
    const current = currentMasterKey(keys)?.masterKeyId;
    return current === ring.current.id && keysToLeave(keys).length === 0;
  };
  // Where no server is there that would go on sealing with an earlier key, the next one reads this one.
  const adopt = () => masterKeys.adopt(ring.current.id, clock());
  const isAlone = await unlessServed(installation.store, dataDir, adopt);
  if (!isAlone) return await until(isDone);
  const rewrap = createRewrap(masterKeys, ring);
  while (await rewrap.step(clock()));
  return isDone();
}

/** Answers whether it did. */
async function unlessServed(
  { nodes, clock }: Store,
  dataDir: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (nodes !== null) {
    const alive = await nodes.nodes(clock() - NODE_ALIVE_MS);
    if (alive.length > 0) return false;
    await work();
    return true;
  }
  const lock = takeServeLock(dataDir, 0);
  if (lock === undefined) return false;
  await work();
  lock.release();
  return true;
}

async function until(isDone: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + WAIT_FOR_SERVER_MS;
  while (!(await isDone()) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return isDone();
}

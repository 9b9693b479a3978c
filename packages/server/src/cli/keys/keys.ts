// `unwrite keys`: the master keys that everything is sealed under.
import type { Command } from 'commander';
import type { Installation } from '../../app/service.ts';
import type { StoredMasterKey } from '../../domain/keys/key-ports.ts';
import { currentMasterKey, destroyableFrom } from '../../domain/keys/master-keys.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson, printTable, time } from '../shared/output.ts';
import { addKeysDestroy } from './destroy.ts';
import { addKeysRotate } from './rotate.ts';

export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('Master keys, which everything is sealed under; the keys are never shown');

  const list = keys.command('list').description('List the keys, what is sealed under each');
  withJson(withSettings(list)).action(({ json }: { json?: boolean }) =>
    withInstallation(list, async (installation, config) => {
      const shown = await shownKeys(
        installation,
        config.retentionBackups * 1000,
        installation.store.clock(),
      );
      if (json) printJson(shown);
      else {
        printTable(
          ['id', 'state', 'created', 'retired', 'sealed', 'may be destroyed'],
          shown.map((key) => [
            key.master_key,
            key.state,
            key.created_time,
            key.retired_time,
            key.sealed,
            key.destroyable_time,
          ]),
        );
      }
    }),
  );

  addKeysRotate(keys);
  addKeysDestroy(keys);
}

interface ShownKey {
  readonly master_key: string;
  readonly state: string;
  readonly created_time: string | null;
  readonly retired_time: string | null;
  readonly sealed: number;
  readonly destroyable_time: string | null;
}

async function shownKeys(
  { store, vaultKeys }: Installation,
  retentionMs: number,
  now: number,
): Promise<ShownKey[]> {
  const keys = await store.masterKeys.masterKeys();
  // Before the first server has adopted one, it is the one that this command would seal with.
  const current = currentMasterKey(keys)?.masterKeyId ?? vaultKeys.ring.current.id;
  const shown: ShownKey[] = [];
  for (const key of keys) {
    const sealed = (await store.masterKeys.sealedUnder(key.masterKeyId)).things;
    const from = key.destroyedTime === null ? destroyableFrom(key, retentionMs) : null;
    const isDestroyable = from !== null && from <= now && sealed === 0;
    shown.push({
      master_key: key.masterKeyId,
      state: stateOf(key, current, isDestroyable),
      created_time: time(key.createdTime),
      retired_time: time(key.retiredTime),
      sealed,
      destroyable_time: time(from),
    });
  }
  return shown;
}

function stateOf(key: StoredMasterKey, current: string, isDestroyable: boolean): string {
  if (key.destroyedTime !== null) return 'destroyed';
  if (key.masterKeyId === current) return 'current';
  if (isDestroyable) return 'destroyable';
  return key.retiredTime === null ? 'in use' : 'retired';
}

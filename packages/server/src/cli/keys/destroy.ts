// `unwrite keys destroy`: what is left in old backups and in remains on disk cannot be opened any more.
import type { Command } from 'commander';
import type { Installation } from '../../app/service.ts';
import type { StoredMasterKey } from '../../domain/keys/key-ports.ts';
import { currentMasterKey, destroyableFrom } from '../../domain/keys/master-keys.ts';
import { removeFromKeyFile } from '../../vault/change-key-file.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines, time } from '../shared/output.ts';

interface Options {
  readonly force?: boolean;
  readonly json?: boolean;
}

export function addKeysDestroy(keys: Command): void {
  const destroy = keys
    .command('destroy <id>')
    .description('Destroy a retired key; the server does so itself after retention.backups')
    .option(
      '--force',
      'Also while backups, or requests, can only be opened with it: they are lost',
    );
  withActor(withJson(withSettings(destroy))).action((id: string, { force, json }: Options) =>
    withInstallation(destroy, async (installation, config) => {
      const now = installation.store.clock();
      const { masterKeys } = installation.store;
      const key = await findKey(installation, id);
      const from = destroyableFrom(key, config.retentionBackups * 1000);
      const { requests, things } = await masterKeys.sealedUnder(id);
      if (!force) refuseLoss(key, from, { requests, things }, now);
      const remove = () => removeKey(installation, id);
      await masterKeys.destroy(id, force ?? false, remove, { actor: actorOf(destroy), now });
      if (json) printJson({ master_key: id, requests_lost: requests });
      else {
        const loss = `The identities of ${counted(requests, 'request')} cannot be opened any more.`;
        printLines(`${id} is destroyed.`, ...(requests > 0 ? [loss] : []));
      }
    }),
  );
}

async function findKey({ store, vaultKeys }: Installation, id: string): Promise<StoredMasterKey> {
  const keys = await store.masterKeys.masterKeys();
  const key = keys.find(({ masterKeyId }) => masterKeyId === id);
  if (key === undefined) {
    throw new CommandFailure(`there is no master key ${id}; see "unwrite keys list"`);
  }
  if (key.destroyedTime !== null) throw new CommandFailure(`${id} is destroyed already`);
  const isCurrent = currentMasterKey(keys)?.masterKeyId === id || vaultKeys.ring.current.id === id;
  if (isCurrent) {
    throw new CommandFailure(`${id} is the current master key; "unwrite keys rotate" first`);
  }
  return key;
}

function refuseLoss(
  key: StoredMasterKey,
  from: number | null,
  { requests, things }: { requests: number; things: number },
  now: number,
): void {
  const id = key.masterKeyId;
  if (things > 0 || from === null) {
    throw new CommandFailure(
      `${counted(things, 'thing')}, with the identities of ${counted(requests, 'request')}, can only be opened with ${id}; "unwrite keys rotate" moves them. With --force they are lost`,
    );
  }
  if (from > now) {
    throw new CommandFailure(
      `backups made before ${time(key.retiredTime)} can only be opened with ${id}; it may be destroyed after ${time(from)} (retention.backups). With --force those backups are lost`,
    );
  }
}

function removeKey({ vaultKeys }: Installation, id: string): void {
  const { file, ring } = vaultKeys;
  if (file !== null) removeFromKeyFile(file, id);
  vaultKeys.reload();
  if (ring.byId(id) !== undefined) {
    throw new CommandFailure(
      `${id} is given by UNWRITE_MASTER_KEY_PREVIOUS: take it out there, and wherever it is kept, then run this again`,
    );
  }
}

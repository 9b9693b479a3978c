// `unwrite keys rotate`: makes a new master key and moves all sealed data to it. If a server is running, the server
// moves the data as soon as it has loaded the key.
import type { Command } from 'commander';
import { currentMasterKey } from '../../domain/keys/master-keys.ts';
import { type Rotation, rotateKeys } from '../../operator/keys/rotate-keys.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

export function addKeysRotate(keys: Command): void {
  const rotate = keys
    .command('rotate')
    .description(
      'Seal with a new key, and reseal everything with it; continues if it was interrupted',
    );
  withActor(withJson(withSettings(rotate))).action(({ json }: { json?: boolean }) =>
    withInstallation(rotate, async (installation, config) => {
      const { rotationParts } = await import('../../app/operator/access.ts');
      const by = { actor: actorOf(rotate), now: installation.store.clock() };
      const rotation = await rotateKeys(
        rotationParts(installation, () => config),
        by,
      );
      if (json) return printJson(rotation);
      const keys = await installation.store.masterKeys.masterKeys();
      const isAdopted = currentMasterKey(keys)?.masterKeyId === rotation.master_key;
      printLines(...rotationLines(rotation, isAdopted));
    }),
  );
}

/** `isAdopted`: a server seals with the new key, or none is running. */
export function rotationLines(
  { master_key: id, done: isDone, retired }: Rotation,
  isAdopted: boolean,
): string[] {
  return [
    isAdopted
      ? `Sealed with ${id} from now on.`
      : `The master key file has the new key ${id}, and no running server seals with it yet: it reads another copy of the file, or UNWRITE_MASTER_KEY. Servers without the key are not ready; give it to all of them.`,
    isDone
      ? 'Everything is sealed with it.'
      : 'The server reseals the rest with it; "unwrite keys list" shows the progress.',
    ...retired.map(
      (key) => `${key.master_key} is retired; it is destroyed after ${key.destroyable_time}.`,
    ),
    'Keep a copy of the master key file apart from the backups of the data.',
  ];
}

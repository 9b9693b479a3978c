// `unwrite keys rotate`: makes a new master key and moves all sealed data to it. If a server is running, the server
// moves the data as soon as it has loaded the key.
import type { Command } from 'commander';
import { rotateKeys } from '../../operator/keys/rotate-keys.ts';
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
      const rotation = await rotateKeys(rotationParts(installation, config), by);
      const { master_key: id, done: isDone, retired } = rotation;
      if (json) printJson(rotation);
      else {
        printLines(
          `Sealed with ${id} from now on.`,
          isDone
            ? 'Everything is sealed with it.'
            : 'The server reseals the rest with it; "unwrite keys list" shows the progress.',
          ...retired.map(
            (key) => `${key.master_key} is retired; it is destroyed after ${key.destroyable_time}.`,
          ),
          'Keep a copy of the master key file apart from the backups of the data.',
        );
      }
    }),
  );
}

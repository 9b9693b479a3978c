// `unwrite keys`: the master keys that everything is sealed under.
import type { Command } from 'commander';
import { listKeys } from '../../operator/keys/list-keys.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson, printTable } from '../shared/output.ts';
import { addKeysDestroy } from './destroy.ts';
import { addKeysRotate } from './rotate.ts';

export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('Master keys, which everything is sealed under; the keys are never shown');

  const list = keys.command('list').description('List the keys, and how much is sealed under each');
  withJson(withSettings(list)).action(({ json }: { json?: boolean }) =>
    withInstallation(list, async ({ store, vaultKeys }, config) => {
      const { createMasterKeyAccess } = await import('../../app/operator/access.ts');
      const access = createMasterKeyAccess(vaultKeys);
      const shown = await listKeys(store, access, config.retentionBackups * 1000);
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

// `unwrite keys destroy`: afterwards, copies in old backups and on disk cannot be decrypted.
import type { Command } from 'commander';
import { destroyKey } from '../../operator/keys/destroy-key.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

interface Options {
  readonly force?: boolean;
  readonly json?: boolean;
}

export function addKeysDestroy(keys: Command): void {
  const destroy = keys
    .command('destroy <id>')
    .description('Destroy a retired key now; the server does it after retention.backups')
    .option('--force', 'Even if backups of the store need it; they cannot be decrypted any more');
  withActor(withJson(withSettings(destroy))).action((id: string, { force, json }: Options) =>
    withInstallation(destroy, async ({ store, vaultKeys }, { retentionBackups }) => {
      const { createMasterKeyAccess } = await import('../../app/operator/access.ts');
      const access = createMasterKeyAccess(vaultKeys);
      const parts = { store, access, retentionBackupsMs: retentionBackups * 1000 };
      const by = { actor: actorOf(destroy), now: store.clock() };
      const destroyed = await destroyKey(parts, id, force ?? false, by);
      if (json) printJson(destroyed);
      else printLines(`${id} is destroyed.`);
    }),
  );
}

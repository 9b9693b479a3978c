import { once } from 'node:events';
import type { Command } from 'commander';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { readSince } from '../shared/read-time.ts';

export function addAuditExport(audit: Command): void {
  const command = audit
    .command('export')
    .description('Print rows and heads as JSON lines, to keep and verify elsewhere')
    .option(
      '--since <time>',
      'Only heads made at or after this day or time, with their rows',
      readSince,
      0,
    );
  withJson(withSettings(command)).action(({ since }: { since: number }) =>
    withInstallation(command, async ({ store, vaultKeys }, config) => {
      const { openProof } = await import('../../app/proof/proof.ts');
      const { exportAudit } = await import('../../audit/export/export-audit.ts');
      const { signer } = await openProof(store, vaultKeys.ring, config.domain);
      await store.readAudit(async (tree) => {
        for await (const line of exportAudit(tree, signer, since, store.clock())) {
          if (!process.stdout.write(line)) await once(process.stdout, 'drain');
        }
      });
    }),
  );
}

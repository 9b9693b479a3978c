import type { Command } from 'commander';
import { damageShape } from '../../operator/audit/damage-shape.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';

interface Options {
  readonly reason: string;
  readonly json?: boolean;
}

export function addAuditAccept(audit: Command): void {
  const command = audit
    .command('accept')
    .description(
      'Accept what "audit verify" names, after finding out who did it: deletes what Unwrite did not write and lets erasing go on',
    )
    .requiredOption('--reason <text>', 'What happened; no personal data in it');
  withActor(withJson(withSettings(command))).action(({ reason, json }: Options) =>
    withInstallation(command, async ({ store, vaultKeys }, config) => {
      const { openProof } = await import('../../app/proof/proof.ts');
      const { createCommandWatch } = await import('../../app/restored-store.ts');
      const { acceptDamage, readAuditBeside } = await import('../../app/operator/read-audit.ts');
      const proof = await openProof(store, vaultKeys.ring, config.domain, {
        writeDownHead: (await createCommandWatch(store, vaultKeys.ring, config)).look,
        witnessFile: config.auditWitnessFile,
        log: () => undefined,
      });
      const by = { actor: actorOf(command), now: store.clock() };
      const readAudit = readAuditBeside(config, store);
      const parts = { store, proof, readAudit, dataDir: config.dataDir };
      const shape = damageShape(await acceptDamage(parts, reason, by));
      if (json) return printJson(shape);
      for (const row of shape.deleted_rows) printLines(`Deleted: ${JSON.stringify(row)}`);
      for (const headNo of shape.deleted_heads) printLines(`Deleted: head ${headNo}`);
      if (shape.deleted_cut !== null) {
        printLines(`Deleted: the record of a cut up to head ${shape.deleted_cut}`);
      }
      printLines(
        `Accepted: ${counted(shape.rows.length, 'row')} that ${shape.rows.length === 1 ? 'is' : 'are'} missing or not as sealed. Erasing goes on, unless an operator has paused it.`,
      );
    }),
  );
}

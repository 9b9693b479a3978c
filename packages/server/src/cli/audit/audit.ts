import type { Command } from 'commander';
import { keyShape } from '../../audit/published-key.ts';
import { auditRowShape, listAudit } from '../../operator/list-audit.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, readLimit, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, time, warnIfLimited } from '../shared/output.ts';
import { readSince, readUntil } from '../shared/read-time.ts';
import { addAuditAccept } from './accept.ts';
import { addAuditExport } from './export.ts';
import { addAuditHead } from './head.ts';
import { addAuditVerify } from './verify.ts';

interface ListOptions {
  readonly controller?: string;
  readonly request?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
  readonly json?: boolean;
}

export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('The audit log, who did what and when: list, export and verify it');

  const list = audit
    .command('list')
    .description('List rows, newest first')
    .option('--controller <controller_id>', 'Only those about this controller')
    .option('--request <subject_request_id>', 'Only those about this request')
    .option('--actor <actor>', 'Only what this actor did, such as operator:olga or system')
    .option('--action <action>', 'Only this action, such as task.retained')
    .option('--since <time>', 'Written at or after this day or time, such as 2026-11-01', readSince)
    .option('--until <time>', 'Written up to this day or time', readUntil)
    .option('--limit <number>', 'Maximum number to list', readLimit, 50);
  withJson(withSettings(list)).action((options: ListOptions) =>
    withInstallation(list, async ({ store }) => {
      const { limit, json } = options;
      const rows = await listAudit(store, options);
      if (json) printJson(rows.map(auditRowShape));
      else if (rows.length === 0) printLines('There are no such rows.');
      else {
        printTable(
          ['no', 'time', 'actor', 'action', 'controller_id', 'subject_request_id', 'detail'],
          rows.map((row) => [
            row.auditNo,
            time(row.time),
            row.actor,
            row.action,
            row.controllerId,
            row.subjectRequestId,
            row.detail,
          ]),
        );
        warnIfLimited(rows.length, limit);
      }
    }),
  );

  const rotateKey = audit
    .command('rotate-key')
    .description('Replace the key that signs heads and receipts; the old key signs the new one');
  withActor(withJson(withSettings(rotateKey))).action(({ json }: { json?: boolean }) =>
    withInstallation(rotateKey, async ({ store, vaultKeys }, { domain }) => {
      const { openProof } = await import('../../app/proof/proof.ts');
      const { signer } = await openProof(store, vaultKeys.ring, domain);
      const before = signer.keyId;
      await signer.rotate({ actor: actorOf(rotateKey), now: store.clock() });
      const shape = { key_id: signer.keyId, previous_key_id: before };
      if (json) printJson(shape);
      else printLines(`Heads and receipts are signed with ${shape.key_id} from now on.`);
    }),
  );

  addAuditVerify(audit);
  addAuditExport(audit);
  addAuditAccept(audit);
  addAuditHead(audit);

  const key = audit
    .command('key')
    .description('Print the public key that heads and receipts are verified with (PEM)');
  key.option('--all', 'All keys that ever signed, as /receipts/keys publishes them (JSON)');
  withJson(withSettings(key)).action(({ json, all }: { json?: boolean; all?: boolean }) =>
    withInstallation(key, async ({ store, vaultKeys }, { domain }) => {
      const { openProof } = await import('../../app/proof/proof.ts');
      const { signer } = await openProof(store, vaultKeys.ring, domain);
      const { keyId, publicKey } = signer;
      if (all) printJson({ keys: signer.published.map(keyShape) });
      else if (json) printJson({ key_id: keyId, public_key: publicKey });
      else process.stdout.write(publicKey);
    }),
  );
}

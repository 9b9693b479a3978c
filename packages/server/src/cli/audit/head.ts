import { type Command, InvalidArgumentError } from 'commander';
import { NoProof } from '../../domain/audit/proof-documents.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson } from '../shared/output.ts';

interface Options {
  readonly from?: number;
  readonly to?: number;
}

export function addAuditHead(audit: Command): void {
  const command = audit
    .command('head')
    .description('Print the newest signed head, or the proof that it continues an older one')
    .option('--from <head_no>', 'Print the consistency proof from this head on', readHeadNo)
    .option('--to <head_no>', 'With --from: up to this head instead of the newest', readHeadNo);
  withJson(withSettings(command)).action(({ from, to }: Options) =>
    withInstallation(command, async ({ store, vaultKeys }, config) => {
      const { openProof } = await import('../../app/proof/proof.ts');
      const { proofs } = await openProof(store, vaultKeys.ring, config.domain);
      try {
        printJson(await (from === undefined ? proofs.newestHead() : proofs.consistency(from, to)));
      } catch (error) {
        throw error instanceof NoProof ? new CommandFailure(error.message) : error;
      }
    }),
  );
}

function readHeadNo(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be the number of a head.');
}

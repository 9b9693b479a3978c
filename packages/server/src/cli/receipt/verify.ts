import type { Command } from 'commander';
import {
  type GivenDocument,
  verifiedReceiptShape,
  verifiedReceiptWords,
} from '../../operator/audit/receipt-verdict.ts';
import { readGivenFile, verifierOf } from '../audit/proof-verifier.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

interface Options {
  readonly key?: string;
  readonly heads?: readonly string[];
  readonly json?: boolean;
}

export function addReceiptVerify(receipt: Command): void {
  const verify = receipt
    .command('verify <file>')
    .description('Verify that a receipt is unchanged since it was signed; exit code 1 if not')
    .option('--key <file>', 'Public key (PEM); then no installation is needed')
    .option(
      '--heads <file>',
      'Heads and proofs of the audit log that the receipt must be consistent with (JSON); repeatable',
      (file: string, before: readonly string[] = []) => [...before, file],
    );
  withJson(withSettings(verify)).action(
    async (file: string, { key, heads = [], json }: Options) => {
      const { verifyGivenReceipt } = await import('../../app/operator/verify-given-receipt.ts');
      const given = documentOf(file);
      const kept = heads.map(documentOf);
      const verdict = verifyGivenReceipt(given, kept, await verifierOf(verify, key));
      if (!verdict.ok) throw new CommandFailure(verdict.problem);
      if (json) printJson(verifiedReceiptShape(verdict));
      else printLines(...verifiedReceiptWords(verdict, key ?? 'this installation’s'));
    },
  );
}

const documentOf = (name: string): GivenDocument => ({ name, bytes: readGivenFile(name) });

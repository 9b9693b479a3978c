import type { Command } from 'commander';
import type { Receipt } from '../../domain/receipt/receipt.ts';
import { readGivenFile, verifierOf } from '../audit/proof-verifier.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

interface Options {
  readonly key?: string;
  readonly json?: boolean;
}

export function addReceiptVerify(receipt: Command): void {
  const verify = receipt
    .command('verify <file>')
    .description('Verify that a receipt is unchanged since it was signed; exit code 1 if not')
    .option('--key <file>', 'Public key (PEM); then no installation is needed');
  withJson(withSettings(verify)).action(async (file: string, { key, json }: Options) => {
    const { verifyReceipt } = await import('../../receipts/verify-receipt.ts');
    const bytes = readGivenFile(file);
    const verdict = verifyReceipt(bytes, await verifierOf(verify, key));
    if (!verdict.ok) throw new CommandFailure(`${file} does not verify: ${verdict.problem}`);
    if (json) printJson(shapeOf(verdict.receipt));
    else printLines(...linesOf(verdict.receipt, key));
  });
}

function shapeOf(receipt: Receipt) {
  return {
    ok: true,
    controller_id: receipt.controller_id,
    subject_request_id: receipt.subject_request_id,
    receipt_no: receipt.receipt_no,
    signed_time: receipt.signed_time,
    key_id: receipt.key_id,
  };
}

function linesOf(receipt: Receipt, key: string | undefined): string[] {
  const what = receipt.receipt_no === 1 ? 'Receipt' : `Addendum ${receipt.receipt_no}`;
  const { previous_receipt: previous, audit_head: head } = receipt;
  return [
    `${what} of request ${receipt.subject_request_id} of ${receipt.controller_id}: unchanged since it was signed`,
    `at ${receipt.signed_time} by key ${receipt.key_id} (${key ?? 'this installation’s'}).`,
    ...(previous
      ? [`It follows receipt ${previous.receipt_no} with SHA-256 ${previous.sha256}.`]
      : []),
    ...(head ? [`Audit head at that time: ${head.head_no}:${head.hash}`] : []),
  ];
}

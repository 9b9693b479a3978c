import { readStrictJson } from '@unwrite/protocol';
import type { Command } from 'commander';
import type { ReceiptInLog } from '../../audit/prove/verify-receipt-proof.ts';
import type { VerifySignature } from '../../domain/audit/proof-ports.ts';
import type { Receipt } from '../../domain/receipt/receipt.ts';
import { readGivenFile, verifierOf } from '../audit/proof-verifier.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

interface Options {
  readonly key?: string;
  readonly heads: readonly string[];
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
      (file: string, before: readonly string[]) => [...before, file],
      [],
    );
  withJson(withSettings(verify)).action(async (file: string, { key, heads, json }: Options) => {
    const { verifyReceipt } = await import('../../receipts/verify-receipt.ts');
    const bytes = readGivenFile(file);
    const verifySignature = await verifierOf(verify, key);
    const verdict = verifyReceipt(bytes, verifySignature);
    if (!verdict.ok) throw new CommandFailure(`${file} does not verify: ${verdict.problem}`);
    const log = await inLog(file, bytes, verdict.receipt, heads, verifySignature);
    if (json) printJson(shapeOf(verdict.receipt, log));
    else printLines(...linesOf(verdict.receipt, key), ...logLines(log));
  });
}

async function inLog(
  file: string,
  bytes: Buffer,
  receipt: Receipt,
  heads: readonly string[],
  verifySignature: VerifySignature,
): Promise<ReceiptInLog> {
  const { verifyOwnProof, verifyReceiptInLog } = await import(
    '../../audit/prove/verify-receipt-proof.ts'
  );
  const { NotProven } = await import('../../audit/prove/verify-documents.ts');
  try {
    if (heads.length > 0) {
      const documents = heads.flatMap((name) => documentsIn(name));
      return verifyReceiptInLog(bytes, receipt, documents, verifySignature);
    }
    return { head: verifyOwnProof(receipt, verifySignature), connected: [], isLogged: false };
  } catch (error) {
    if (!(error instanceof NotProven)) throw error;
    throw new CommandFailure(`${file} does not match the audit log: ${error.message}`);
  }
}

/** One document, or one on each line; none with a member twice, of which readers may take either. */
function documentsIn(file: string): unknown[] {
  const bytes = readGivenFile(file);
  try {
    return [readStrictJson(bytes)];
  } catch {
    const lines = bytes.toString().split('\n');
    const texts = lines.filter((line) => line !== '');
    if (texts.length === 0)
      throw new CommandFailure(`${file} is empty: it contains no head to compare with`);
    try {
      return texts.map((line) => readStrictJson(Buffer.from(line)));
    } catch {
      throw new CommandFailure(`${file} holds no JSON documents, or one that has a member twice`);
    }
  }
}

function shapeOf(receipt: Receipt, { head, connected, isLogged }: ReceiptInLog) {
  return {
    ok: true,
    controller_id: receipt.controller_id,
    subject_request_id: receipt.subject_request_id,
    receipt_no: receipt.receipt_no,
    signed_time: receipt.signed_time,
    key_id: receipt.key_id,
    in_audit_log: head !== undefined && receipt.audit_proof != null,
    receipt_in_audit_log: isLogged,
    consistent_with: connected.map(({ headNo }) => headNo),
  };
}

function linesOf(receipt: Receipt, key: string | undefined): string[] {
  const what = receipt.receipt_no === 1 ? 'Receipt' : `Addendum ${receipt.receipt_no}`;
  const { previous_receipt: previous, audit_head: head, audit_proof: proof } = receipt;
  return [
    `${what} of request ${receipt.subject_request_id} of ${receipt.controller_id}: unchanged since it was signed`,
    `at ${receipt.signed_time} by key ${receipt.key_id} (${key ?? 'this installation’s'}).`,
    ...(previous
      ? [`It follows receipt ${previous.receipt_no} with SHA-256 ${previous.sha256}.`]
      : []),
    ...(head ? [`Audit head at that time: ${head.head_no}:${head.hash}`] : []),
    ...(proof ? ['That head covers the completion: the proof leads to its root.'] : []),
  ];
}

function logLines({ connected, isLogged }: ReceiptInLog): string[] {
  return [
    ...(isLogged ? ['The audit log contains this receipt.'] : []),
    ...connected.map(({ headNo }) => `It is consistent with head ${headNo}.`),
  ];
}

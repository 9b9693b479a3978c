import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { VerifySignature } from '../../domain/audit/proof-ports.ts';
import {
  type GivenDocument,
  verifiedReceiptShape,
  verifiedReceiptWords,
} from '../../operator/audit/receipt-verdict.ts';
import { readGivenFile, verifierOf } from '../audit/proof-verifier.ts';
import { CommandFailure, usageFailure } from '../shared/failure.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';

interface Options {
  readonly key?: string;
  readonly heads?: readonly string[];
  readonly json?: boolean;
}

export function addReceiptVerify(receipt: Command): void {
  const verify = receipt
    .command('verify <file>')
    .description(
      'Verify that a receipt, or the folder of an unpacked export, is unchanged since it was signed; exit code 1 if not',
    )
    .option('--key <file>', 'Public key (PEM); then no installation is needed')
    .option(
      '--heads <file>',
      'Heads and proofs of the audit log that the receipt must be consistent with (JSON); repeatable',
      (file: string, before: readonly string[] = []) => [...before, file],
    );
  withJson(withSettings(verify)).action(
    async (file: string, { key, heads = [], json }: Options) => {
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
        await verifyFolder(file, await verifierOf(verify, key), {
          ...(key !== undefined && { key }),
          heads,
          ...(json && { json }),
        });
        return;
      }
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

async function verifyFolder(
  folder: string,
  verifySignature: VerifySignature,
  { key, heads = [], json }: Options,
): Promise<void> {
  if (heads.length > 0) throw usageFailure('--heads goes with a single receipt');
  const { verifyExport } = await import('../../app/operator/verify-export.ts');
  const verdict = await verifyExport(folder, verifySignature).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new CommandFailure(
        `${folder} is not a complete export (${code}): unpack the whole archive, and name the folder that has export.json`,
      );
    },
  );
  const { controllerId, exportedTime, keyId, files, receipts, problems } = verdict;
  if (problems.length > 0)
    throw new CommandFailure(`${folder} does not verify:\n${problems.join('\n')}`);
  if (json) {
    printJson({
      ok: true,
      controller_id: controllerId,
      exported_time: exportedTime,
      key_id: keyId,
      files,
      receipts,
    });
  } else {
    printLines(
      `Export of ${controllerId}: ${counted(files, 'file')} unchanged since they were signed`,
      `at ${exportedTime} by key ${keyId} (${key ?? 'this installation’s'}).`,
      `${counted(receipts, 'receipt')}, each verified by itself.`,
    );
  }
}

const documentOf = (name: string): GivenDocument => ({ name, bytes: readGivenFile(name) });

import { writeFileSync } from 'node:fs';
import { parse } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { visibleLines } from '../../domain/visible-text.ts';
import { acceptEvidence } from '../../operator/request/accept-evidence.ts';
import { findRequest } from '../../operator/request/find-request.ts';
import { CommandFailure, usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printLines } from '../shared/output.ts';
import { explainRefused } from './explain-refused.ts';
import { addReceiptVerify } from './verify.ts';

interface Options {
  readonly controller?: string;
  readonly number?: number;
  readonly all?: boolean;
  readonly full?: boolean;
  readonly html?: boolean;
  readonly output?: string;
  readonly acceptEvidence?: boolean;
  readonly reason?: string;
  /** The output is JSON in any case; this decides the form of failures. */
  readonly json?: boolean;
}

export function addReceiptCommands(program: Command): void {
  const receipt = program
    .command('receipt')
    .enablePositionalOptions()
    .argument('<subject_request_id>', 'The request')
    .description(
      'Print the signed receipt of a completed request, as JSON, as its controller gets it',
    )
    .option('--controller <controller_id>', 'Needed if several controllers use the same request id')
    .option(
      '--number <number>',
      '1 is the receipt, 2 and more are addenda of later runs',
      readNumber,
    )
    .option('--full', 'The full receipt instead, with tables, targets and names of staff')
    .option('--all', 'The receipt and all addenda')
    .option('--html', 'Print an HTML page instead')
    .option('--output <file>', 'Write to this file; addenda get a number in the file name')
    .option('--accept-evidence', 'Vouch for evidence that differs from the audit log')
    .option('--reason <text>', 'With --accept-evidence: why; no personal data in it');
  withActor(withJson(withSettings(receipt))).action((id: string, options: Options) =>
    withInstallation(receipt, async ({ store, vaultKeys, identities }, config) => {
      if (options.all && options.number !== undefined) {
        throw usageFailure('--all and --number cannot be combined');
      }
      if (options.html && options.json) throw usageFailure('--html and --json cannot be combined');
      const found = await findRequest(store, id, options.controller);
      if (found.status !== 'completed') {
        throw new CommandFailure(
          `request ${found.subjectRequestId} is ${found.status}; only completed ones have a receipt`,
        );
      }
      const { openProof } = await import('../../app/proof/proof.ts');
      const { createCommandWatch } = await import('../../app/restored-store.ts');
      const { renderReceipt } = await import('../../receipts/render-receipt.ts');
      const { receipts } = await openProof(store, vaultKeys.ring, config.domain, {
        writeDownHead: (await createCommandWatch(store, vaultKeys.ring, config)).look,
        witnessFile: config.auditWitnessFile,
        log: () => undefined,
      });
      const now = store.clock();
      if (options.acceptEvidence) {
        if (options.reason === undefined) {
          throw usageFailure('--accept-evidence needs --reason "…"');
        }
        const by = { actor: actorOf(receipt), now };
        const named = { id, controller: options.controller };
        await acceptEvidence({ store, identities }, named, options.reason, by);
      }
      const issued = await explainRefused(() => receipts.receiptsOf(found, now));
      const documents = issued.map(({ document, fullDocument }) =>
        options.full ? fullDocument : document,
      );
      const chosen = choose(documents, options);
      const texts = chosen.map(([no, document]): [number, string] => [
        no,
        options.html ? renderReceipt(document) : document,
      ]);
      if (options.output === undefined) {
        // Piped output must be exactly the signed bytes.
        const shown = process.stdout.isTTY ? visibleLines : (text: string) => text;
        for (const [, text] of texts) process.stdout.write(shown(text));
      } else writeFiles(options.output, texts);
    }),
  );
  addReceiptVerify(receipt);
}

function choose(documents: readonly string[], { all, number = 1 }: Options): [number, string][] {
  const numbered = documents.map((document, i): [number, string] => [i + 1, document]);
  const chosen = numbered.filter(([no]) => all || no === number);
  if (chosen.length > 0) return chosen;
  throw new CommandFailure(`there is no receipt ${number}; the request has ${documents.length}`);
}

function writeFiles(output: string, texts: readonly [number, string][]): void {
  const { dir, name, ext } = parse(output);
  for (const [no, text] of texts) {
    const isOnly = texts.length === 1 || no === 1;
    const file = isOnly ? output : `${dir === '' ? '' : `${dir}/`}${name}-${no}${ext}`;
    writeFileSync(file, text);
    printLines(`Written to ${file}.`);
  }
}

function readNumber(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('It must be 1 or more.');
  return Number(value);
}

import { type Command, InvalidArgumentError } from 'commander';
import type { AuditVerdict } from '../../audit/verify-audit.ts';
import type { KnownHead, VerifySignature } from '../../domain/audit/proof-ports.ts';
import { visibleLines } from '../../domain/visible-text.ts';
import { CommandFailure, ReportedFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines, time } from '../shared/output.ts';
import { readGivenFile, verifierOf } from './proof-verifier.ts';

interface Options {
  readonly head: readonly KnownHead[];
  readonly file?: string;
  readonly key?: string;
  readonly json?: boolean;
}

export function addAuditVerify(audit: Command): void {
  const verify = audit
    .command('verify')
    .description('Verify that the audit log is unchanged since it was sealed; exit code 1 if not')
    .option(
      '--head <no:hash>',
      'A head to compare with, as the server logged it; repeatable',
      addHead,
      [],
    )
    .option('--file <file>', 'An export instead of the store')
    .option('--key <file>', 'Public key (PEM) instead of this installation’s');
  withJson(withSettings(verify)).action(async (options: Options) => {
    const verdict = await (options.file === undefined
      ? verifyStore(verify, options)
      : verifyFile(verify, options.file, options));
    report(verdict, options.json ?? false);
  });
}

async function verifyStore(command: Command, { head, key }: Options): Promise<AuditVerdict> {
  const { verifyAudit } = await import('../../audit/verify-audit.ts');
  const { createHeadFile } = await import('../../restore/head-file.ts');
  const verifySignature = await verifierOf(command, key);
  const { openProof } = await import('../../app/proof.ts');
  const { chainProblem } = await import('../../audit/published-key.ts');
  return new Promise((resolve, reject) => {
    withInstallation(command, async ({ store, vaultKeys }, { dataDir, domain }) => {
      // Read first: the server may write a newer one while the log is read.
      const { heads, unreadable } = createHeadFile(dataDir).read();
      const known = [...heads, ...head];
      const verdict = await store.readAudit((chain) =>
        verifyAudit(chain, { verifySignature, known, now: store.clock() }),
      );
      const lost = unreadable.map(
        (name) => `${name} in the data folder cannot be read: which head it knew is lost`,
      );
      const { signer } = await openProof(store, vaultKeys.ring, domain);
      const ofKeys = [chainProblem(signer.published), signer.outdated?.message];
      const problems = [...verdict.problems, ...lost, ...ofKeys.flatMap((it) => it ?? [])];
      resolve({ ...verdict, problems });
    }).catch((error: unknown) => reject(explained(error)));
  });
}

/** Beyond what the store can read as a number, and so beyond what we write. */
function explained(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code !== 'ERR_OUT_OF_RANGE') return error;
  return new CommandFailure(
    'the audit log holds a number that Unwrite never writes: another program wrote to the store; look for values above 9007199254740991 in audit_rows and audit_heads',
  );
}

async function verifyFile(command: Command, file: string, options: Options): Promise<AuditVerdict> {
  const { verifyAudit } = await import('../../audit/verify-audit.ts');
  const { NotAnExport } = await import('../../audit/export/fields.ts');
  const { readExport } = await import('../../audit/export/read-export.ts');
  const verifySignature: VerifySignature = await verifierOf(command, options.key);
  try {
    const { chain, checkFooter, hasFooter } = readExport(readGivenFile(file).toString());
    const verdict = await verifyAudit(chain, {
      ...{ verifySignature, known: options.head },
      now: Date.now(),
    });
    const end = hasFooter ? checkFooter(verifySignature) : withoutFooter(verdict, options.head);
    return { ...verdict, problems: [...verdict.problems, ...end] };
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    throw new CommandFailure(`${file} cannot be verified: ${error.message}`);
  }
}

/** Exports of an earlier version: only a head from elsewhere tells that their end is there. */
function withoutFooter({ last }: AuditVerdict, known: readonly KnownHead[]): string[] {
  const isKnown = known.some(({ headNo, hash }) => headNo === last?.headNo && hash === last.hash);
  return isKnown
    ? []
    : [
        'it was made by an earlier version, without a footer: that its end is there is proven only by its last head, given with --head',
      ];
}

function report(verdict: AuditVerdict, asJson: boolean): void {
  const isWhole = verdict.problems.length === 0;
  if (asJson) printJson(verdictShape(verdict));
  else if (isWhole) printLines(...linesOf(verdict));
  else
    for (const problem of verdict.problems)
      process.stderr.write(visibleLines(`unwrite: ${problem}\n`));
  if (!isWhole) throw new ReportedFailure();
}

function verdictShape({ problems, heads, rows, unsealed, cut, last }: AuditVerdict) {
  return {
    ok: problems.length === 0,
    problems,
    heads,
    rows,
    unsealed_rows: unsealed,
    cut_heads: cut.heads,
    cut_until: cut.heads === 0 ? null : { audit_no: cut.lastAuditNo, time: time(cut.time) },
    last_head: last === undefined ? null : { head_no: last.headNo, hash: last.hash },
  };
}

function linesOf({ heads, rows, unsealed, cut, last }: AuditVerdict): string[] {
  const lines = [
    `The audit log is unchanged since it was sealed: ${counted(rows, 'row')}, ${counted(heads, 'head')}.`,
  ];
  if (unsealed > 0)
    lines.push(`${counted(unsealed, 'row')} are newer than the last head, and not sealed yet.`);
  if (cut.heads > 0) {
    lines.push(
      `The rows of ${counted(cut.heads, 'head')}, up to row ${cut.lastAuditNo}, were removed by retention; the last was sealed at ${time(cut.time)}.`,
    );
  }
  if (last !== undefined) lines.push(`Last head: ${last.headNo}:${last.hash}`);
  return lines;
}

function addHead(value: string, before: readonly KnownHead[]): KnownHead[] {
  const [, headNo, hash] = /^([1-9]\d{0,14}):([0-9a-fA-F]{64})$/.exec(value) ?? [];
  if (headNo === undefined || hash === undefined) {
    throw new InvalidArgumentError('It must be a number, a colon and 64 hexadecimal digits.');
  }
  return [...before, { headNo: Number(headNo), hash: hash.toLowerCase() }];
}

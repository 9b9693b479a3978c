import { type Command, InvalidArgumentError } from 'commander';
import type { AuditVerdict } from '../../audit/verify-audit.ts';
import type { KnownHead, VerifySignature } from '../../domain/audit/proof-ports.ts';
import { visibleLines } from '../../domain/visible-text.ts';
import { verdictShape, verdictWords } from '../../operator/audit/verdict.ts';
import { CommandFailure, ReportedFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';
import { readGivenFile, verifierOf } from './proof-verifier.ts';

interface Options {
  readonly head?: readonly KnownHead[];
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

async function verifyStore(command: Command, { head = [], key }: Options): Promise<AuditVerdict> {
  const { verifyStoredAudit } = await import('../../app/operator/read-audit.ts');
  const given = key === undefined ? undefined : await verifierOf(command, key);
  const { openProof } = await import('../../app/proof/proof.ts');
  return new Promise((resolve, reject) => {
    withInstallation(command, async ({ store, vaultKeys }, { dataDir, domain }) => {
      const { signer } = await openProof(store, vaultKeys.ring, domain);
      const { isAuthentic } = store.auditHeads;
      const verifySignature = given ?? signer.verify;
      const facts = { verifySignature, known: head, signer, now: store.clock(), isAuthentic };
      // A key that another process publishes meanwhile may have signed heads that are in the log.
      resolve(
        await signer.withNewestKeys(() => verifyStoredAudit(store.readAudit, dataDir, facts)),
      );
    }).catch((error: unknown) => reject(explained(error)));
  });
}

/** Explains a number that is too large for the store to read, so not one that we wrote. */
function explained(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code !== 'ERR_OUT_OF_RANGE') return error;
  return new CommandFailure(
    'the audit log holds a number that Unwrite never writes: another program wrote to the store; look for values above 9007199254740991 in audit_rows and audit_heads',
  );
}

async function verifyFile(
  command: Command,
  file: string,
  { head = [], key }: Options,
): Promise<AuditVerdict> {
  const { verifyAudit } = await import('../../audit/verify-audit.ts');
  const { NotAnExport } = await import('../../audit/export/fields.ts');
  const { readExport } = await import('../../audit/export/read-export.ts');
  const verifySignature: VerifySignature = await verifierOf(command, key);
  try {
    const { chain, checkFooter } = readExport(readGivenFile(file));
    const verdict = await verifyAudit(chain, {
      verifySignature,
      known: head,
      now: Date.now(),
    });
    return { ...verdict, problems: [...verdict.problems, ...checkFooter(verifySignature)] };
  } catch (error) {
    if (!(error instanceof NotAnExport)) throw error;
    throw new CommandFailure(`${file} cannot be verified: ${error.message}`);
  }
}

function report(verdict: AuditVerdict, asJson: boolean): void {
  const isWhole = verdict.problems.length === 0;
  if (asJson) printJson(verdictShape(verdict));
  else if (isWhole) printLines(...verdictWords(verdict));
  else
    for (const problem of verdict.problems)
      process.stderr.write(visibleLines(`unwrite: ${problem}\n`));
  if (!isWhole) throw new ReportedFailure();
}

function addHead(value: string, before: readonly KnownHead[] = []): KnownHead[] {
  const [, headNo, hash] = /^([1-9]\d{0,14}):([0-9a-fA-F]{64})$/.exec(value) ?? [];
  if (headNo === undefined || hash === undefined) {
    throw new InvalidArgumentError('It must be a number, a colon and 64 hexadecimal digits.');
  }
  return [...before, { headNo: Number(headNo), hash: hash.toLowerCase() }];
}

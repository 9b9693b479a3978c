import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  createProofKeys,
  NotVerifiedError,
  type ProofKeys,
  verifyConsistency,
  verifyHead,
  verifyReceipt,
  verifySignature,
} from '@unwrite/client';
import { checkCertificate } from '@unwrite/client/node';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CommandFailure, EXIT, fileFailure, usageFailure } from '../failure.ts';
import type { Io } from '../io.ts';

interface KeyFlags {
  readonly key: string;
  readonly firstKey?: string;
  readonly json?: boolean;
}

interface SignatureFlags {
  readonly signature: string;
  readonly key?: string;
  readonly certificate?: string;
  readonly domain?: string;
  readonly root?: string;
  readonly json?: boolean;
}

export function addVerifyCommand(program: Command, context: CommandContext): void {
  const verify = program
    .command('verify')
    .description(
      'Verify what a processor signed, without a connection; exit code 1 if it does not verify',
    );
  addSignature(verify, context);
  addReceipt(verify, context);
  addProofs(verify, context);
}

function addSignature(verify: Command, { io }: CommandContext): void {
  verify
    .command('signature <body>')
    .description('The body of an answer or a callback, exactly as it came')
    .requiredOption('--signature <base64>', 'X-OpenDSR-Signature, or @file')
    .option('--key <file>', 'The public key (PEM)')
    .option('--certificate <file>', 'The certificate, followed by those of its authorities (PEM)')
    .option('--domain <domain>', 'With --certificate: X-OpenDSR-Processor-Domain')
    .option('--root <file>', 'With --certificate: trust this root instead of those of this machine')
    .option('--json', 'Print JSON')
    .action((body: string, flags: SignatureFlags) =>
      verified(io, flags.json, async () => {
        const { signature: given } = flags;
        const signature = given.startsWith('@') ? textOf(given.slice(1), io) : given;
        const key = await signingKey(flags, io);
        if (!(await verifySignature(bytesOf(body, io), signature, key))) {
          throw new NotVerifiedError('it was not made over these bytes with this key');
        }
        return { ok: true, what: 'signature' };
      }),
    );
}

async function signingKey({ key, certificate, domain, root }: SignatureFlags, io: Io) {
  if ((key === undefined) === (certificate === undefined)) {
    throw usageFailure('give --key, or --certificate with --domain');
  }
  if (key !== undefined) return textOf(key, io);
  if (domain === undefined) throw usageFailure('--certificate needs --domain');
  const roots = root === undefined ? {} : { roots: [textOf(root, io)] };
  return (await checkCertificate(textOf(certificate ?? '', io), { domain, ...roots })).publicKey;
}

function addReceipt(verify: Command, { io }: CommandContext): void {
  withKey(verify.command('receipt <file>'))
    .description('A receipt, exactly as it was given out, with the head and the proof in it')
    .option(
      '--proof <file>',
      'The answer of /receipts/{subject_request_id}/proof: the audit log has the receipt',
    )
    .action((file: string, flags: KeyFlags & { readonly proof?: string }) =>
      verified(io, flags.json, async () => {
        const keys = await keysOf(flags, io);
        const proof = flags.proof === undefined ? {} : { logProof: bytesOf(flags.proof, io) };
        const { receipt, head, isCovered, loggedIn } = await verifyReceipt(
          bytesOf(file, io),
          keys,
          proof,
        );
        return {
          ok: true,
          what: 'receipt',
          controller_id: receipt.controller_id,
          subject_request_id: receipt.subject_request_id,
          receipt_no: receipt.receipt_no,
          signed_time: receipt.signed_time,
          key_id: receipt.key_id,
          audit_head: head?.head_no ?? null,
          in_audit_log: isCovered,
          receipt_in_audit_log: loggedIn?.head_no ?? null,
        };
      }),
    );
}

function addProofs(verify: Command, { io }: CommandContext): void {
  withKey(verify.command('proof <file>'))
    .description('An answer of /audit/head or /audit/consistency')
    .action((file: string, flags: KeyFlags) =>
      verified(io, flags.json, async () => {
        const keys = await keysOf(flags, io);
        const bytes = bytesOf(file, io);
        if (Buffer.from(bytes).includes('"unwrite audit consistency"')) {
          const { from, to } = await verifyConsistency(bytes, keys);
          return { ok: true, what: 'consistency', from: from.head_no, to: to.head_no };
        }
        const head = await verifyHead(bytes, keys);
        return { ok: true, what: 'head', head_no: head.head_no, hash: head.hash };
      }),
    );
}

function withKey(command: Command): Command {
  return command
    .requiredOption('--key <file>', 'The public key (PEM), or the answer of /receipts/keys')
    .option('--first-key <key_id>', 'The id that the first of /receipts/keys must have')
    .option('--json', 'Print JSON');
}

function keysOf({ key, firstKey }: KeyFlags, io: Io): Promise<ProofKeys> {
  return createProofKeys(textOf(key, io), firstKey === undefined ? {} : { first: firstKey });
}

async function verified(
  io: Io,
  isJson: boolean | undefined,
  work: () => Promise<Record<string, unknown>>,
): Promise<void> {
  try {
    const { ok: _, what, ...facts } = await work();
    const lines = Object.entries(facts).map(([name, value]) => `  ${name}: ${value}`);
    io.stdout.write(
      isJson
        ? `${JSON.stringify({ ok: true, what, ...facts })}\n`
        : `${[`The ${what} is valid.`, ...lines].join('\n')}\n`,
    );
  } catch (error) {
    if (!(error instanceof NotVerifiedError)) throw error;
    if (isJson) io.stdout.write(`${JSON.stringify({ ok: false, problem: error.message })}\n`);
    throw new CommandFailure(`it does not verify: ${error.message}`, EXIT.failed);
  }
}

function bytesOf(file: string, io: Io): Uint8Array {
  try {
    return readFileSync(resolve(io.cwd, file));
  } catch (error) {
    throw fileFailure(file, error);
  }
}

const textOf = (file: string, io: Io) => Buffer.from(bytesOf(file, io)).toString();

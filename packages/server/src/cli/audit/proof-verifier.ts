import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { VerifySignature } from '../../domain/audit/proof-ports.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';

export function readGivenFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      `${file} cannot be read (${code}); check its name and its permissions`,
    );
  }
}

/** Uses the key in the file, without an installation; otherwise this installation's keys. */
export async function verifierOf(
  command: Command,
  keyFile: string | undefined,
): Promise<VerifySignature> {
  const { createSignatureVerifier } = await import('../../audit/proof-key.ts');
  if (keyFile === undefined) return createSignatureVerifier(await ownKeys(command));
  const text = readGivenFile(keyFile).toString();
  if (text.trimStart().startsWith('{')) return createSignatureVerifier(await keysIn(keyFile, text));
  try {
    return createSignatureVerifier([text]);
  } catch {
    throw new CommandFailure(
      `${keyFile} is not a public key; "unwrite audit key" prints one, and the service has it at /receipts/key`,
    );
  }
}

/** Reads keys as /receipts/keys publishes them: each must be signed by the previous one. */
async function keysIn(keyFile: string, text: string): Promise<string[]> {
  const { readPublishedKeys } = await import('../../audit/published-key.ts');
  try {
    return readPublishedKeys(text);
  } catch (error) {
    throw new CommandFailure(
      `${keyFile} is not a public key, and not a list of them: ${(error as Error).message}; "unwrite audit key --all" prints one, and /receipts/keys of the service`,
    );
  }
}

async function ownKeys(command: Command): Promise<string[]> {
  const { openProof } = await import('../../app/proof/proof.ts');
  let keys: string[] = [];
  await withInstallation(command, async ({ store, vaultKeys }, { domain }) => {
    const { signer } = await openProof(store, vaultKeys.ring, domain);
    keys = signer.published.map(({ publicKey }) => publicKey);
  });
  return keys;
}

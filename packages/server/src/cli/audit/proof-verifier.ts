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

/** By the key in that file, which needs no installation; otherwise by this installation's. */
export async function verifierOf(
  command: Command,
  keyFile: string | undefined,
): Promise<VerifySignature> {
  const { createSignatureVerifier } = await import('../../audit/proof-key.ts');
  const pem = keyFile === undefined ? await ownKey(command) : readGivenFile(keyFile).toString();
  try {
    return createSignatureVerifier([pem]);
  } catch {
    throw new CommandFailure(
      `${keyFile} is not a public key; "unwrite audit key" prints one, and the service has it at /receipts/key`,
    );
  }
}

async function ownKey(command: Command): Promise<string> {
  const { openProof } = await import('../../app/proof.ts');
  let pem = '';
  await withInstallation(command, async ({ store, vaultKeys }, config) => {
    pem = (await openProof(store, vaultKeys.ring, config.domain)).signer.publicKey;
  });
  return pem;
}

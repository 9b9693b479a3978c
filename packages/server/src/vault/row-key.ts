// The key that authenticates rows. It is made once, when a store is created, and never again: with
// a new key, rows that someone else wrote would be accepted as ours.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SecretMissing } from '../domain/keys/missing-secret.ts';
import { openSecret, secretContext } from '../domain/keys/open-secret.ts';
import type { RowAuthenticator, RowMacs } from '../domain/keys/row-macs.ts';
import type { OwnSecretStore, RowKeyStore, SecretSealer } from '../domain/keys/secret-ports.ts';
import { writeDurably } from '../files/write-durably.ts';
import { KEY_BYTES } from './aes-gcm.ts';
import { createRowAuthenticator } from './authenticate-rows.ts';
import { MasterKeyProblem } from './load-keys.ts';

export const ROW_KEY_NAME = 'row authentication';
const CONTEXT = secretContext(ROW_KEY_NAME);
const FILE = 'row-key.json';

const LOST =
  'the key that authenticates clients, controllers and releases is missing in the store (own_secrets, "row authentication"): somebody has removed it. Restore a backup that has it';

export interface RowKeyParts {
  readonly ownSecrets: OwnSecretStore;
  readonly rowKeys: RowKeyStore;
  readonly rowMacs: RowMacs;
  readonly sealer: SecretSealer;
  readonly dataDir: string;
}

/** Makes the key if there never was one; returns the functions that authenticate rows. */
export async function makeRowKey(parts: RowKeyParts): Promise<RowAuthenticator> {
  const { ownSecrets, rowKeys, rowMacs, sealer, dataDir } = parts;
  const known = readKnownId(dataDir);
  if ((await ownSecrets.ownSecret(ROW_KEY_NAME)) === undefined) {
    const gone = (await ownSecrets.missingSecrets()).filter(({ name }) => name === ROW_KEY_NAME);
    if (gone.length > 0) throw new SecretMissing(gone);
    if (known !== undefined) {
      throw new MasterKeyProblem(
        `${LOST}. If you have begun with an empty store on purpose, remove ${join(dataDir, FILE)}`,
      );
    }
    const made = randomBytes(KEY_BYTES);
    rowMacs.setKey(createRowAuthenticator(createSecretKey(made)));
    if ((await rowKeys.addRowKey(ROW_KEY_NAME, sealer.seal(made, CONTEXT))) === 'lost') {
      throw new MasterKeyProblem(LOST);
    }
    made.fill(0);
  }
  // Read it again: another process may have stored one first.
  const key = await readRowKey(ownSecrets, sealer);
  if (known !== undefined && known !== idOf(key)) {
    throw new MasterKeyProblem(
      `the key that authenticates rows is not the one that this server knows: the store was exchanged. If you did that on purpose, remove ${join(dataDir, FILE)}`,
    );
  }
  return createRowAuthenticator(key);
}

/** For a worker: never makes a key. */
export async function openRowKey(
  ownSecrets: OwnSecretStore,
  sealer: SecretSealer,
): Promise<RowAuthenticator> {
  return createRowAuthenticator(await readRowKey(ownSecrets, sealer));
}

async function readRowKey(ownSecrets: OwnSecretStore, sealer: SecretSealer): Promise<KeyObject> {
  const sealed = await ownSecrets.ownSecret(ROW_KEY_NAME);
  if (sealed === undefined) throw new MasterKeyProblem(LOST);
  return createSecretKey(await openSecret(ownSecrets, sealer, ROW_KEY_NAME, sealed));
}

/**
 * Records the key in a file next to the store, so that the store cannot be made to look as if it had never
 * had one.
 */
export async function rememberRowKey(
  dataDir: string,
  ownSecrets: OwnSecretStore,
  sealer: SecretSealer,
): Promise<void> {
  if (readKnownId(dataDir) !== undefined) return;
  const id = idOf(await readRowKey(ownSecrets, sealer));
  writeDurably(join(dataDir, FILE), `${JSON.stringify({ row_key: id })}\n`);
}

function idOf(key: KeyObject): string {
  return createHmac('sha256', key).update('unwrite row key id').digest('hex').slice(0, 32);
}

/** A file that cannot be read does not count as missing. */
function readKnownId(dataDir: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(join(dataDir, FILE), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new MasterKeyProblem(`${join(dataDir, FILE)} cannot be read (${code})`);
  }
  const id = /^\s*\{\s*"row_key"\s*:\s*"([0-9a-f]{32})"\s*\}\s*$/.exec(text)?.[1];
  if (id === undefined) {
    throw new MasterKeyProblem(
      `${join(dataDir, FILE)} is damaged; where the store is the one of this folder, remove it, and it is written again`,
    );
  }
  return id;
}

// The master key file, readable only by its owner.
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder, writeSynced } from '../files/synced.ts';
import { KEY_BYTES } from './aes-gcm.ts';
import { parseMasterKey } from './master-key.ts';

export function readMasterKeyFile(path: string): Uint8Array[] {
  return readMasterKeys(readFileSync(path, 'utf8')).map((key, index) => {
    if (key === undefined) {
      throw new Error(`key ${index + 1} in ${path} is not 32 bytes in base64 or hexadecimal`);
    }
    return key;
  });
}

/** The first line that is not a comment is the current key; keys before it follow. */
export function readMasterKeys(text: string): (Uint8Array | undefined)[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseMasterKey);
}

/**
 * Never overwrites: losing a master key loses every sealed identity. Written whole and synced under
 * another name first, so that a process that starts at the same moment never reads half of it.
 */
export function makeMasterKeyFile(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  writeSynced(
    draft,
    '# The master key of this Unwrite installation. Anyone who has it and the data can read sealed\n' +
      '# identities; without it they cannot be read. Keep a copy apart from the backups of the data.\n' +
      `${randomBytes(KEY_BYTES).toString('base64')}\n`,
    'wx',
  );
  try {
    chmodSync(draft, 0o600);
    linkSync(draft, path);
  } finally {
    unlinkSync(draft);
  }
  syncFolder(dirname(path));
}

// Adds or removes one key of the master key file. The whole file is written under another name
// and then replaces the old one: a crash leaves one or the other, never half of either.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder, writeSynced } from '../files/synced.ts';
import { KEY_BYTES } from './aes-gcm.ts';
import { MasterKeyProblem } from './load-keys.ts';
import { createMasterKey, parseMasterKey } from './master-key.ts';

/** Makes a new key, puts it first in the file, and returns its id. */
export function addToKeyFile(path: string): string {
  const key = randomBytes(KEY_BYTES);
  const lines = readFileSync(path, 'utf8').split('\n');
  const first = lines.findIndex((line) => idOf(line) !== undefined);
  lines.splice(Math.max(first, 0), 0, key.toString('base64'));
  replaceFile(path, lines.join('\n'));
  return createMasterKey(key).id;
}

/** Does nothing if the key is not in the file any more. Must not be called for the current key. */
export function removeFromKeyFile(path: string, masterKeyId: string): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  const [current] = lines.flatMap((line) => idOf(line) ?? []);
  if (current === masterKeyId) {
    throw new MasterKeyProblem(`${masterKeyId} is the current master key: rotate first`);
  }
  const kept = lines.filter((line) => idOf(line) !== masterKeyId);
  if (kept.length < lines.length) replaceFile(path, kept.join('\n'));
}

/** A process that died may have left a draft behind; destroyed keys must not remain in it. */
function removeDrafts(path: string): void {
  const folder = dirname(path);
  const rest = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}.`));
  for (const name of rest) {
    if (/\.[0-9a-f]{12}\.new$/.test(name)) rmSync(join(folder, name), { force: true });
  }
}

function idOf(line: string): string | undefined {
  if (line.trim().startsWith('#')) return undefined;
  const key = parseMasterKey(line);
  return key && createMasterKey(key).id;
}

function replaceFile(path: string, content: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    removeDrafts(path);
    const { mode, uid, gid } = statSync(path);
    writeSynced(draft, content, 'wx');
    // An administrator may run the command: the server's account must still be able to read the file.
    const made = statSync(draft);
    if (made.uid !== uid || made.gid !== gid) chownSync(draft, uid, gid);
    chmodSync(draft, mode & 0o777);
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new MasterKeyProblem(
      `the master key file ${path} cannot be replaced (${code}); change it where it comes from, then restart the server: docs/forgetting.md says how`,
    );
  }
}

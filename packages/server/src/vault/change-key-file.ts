// Adds or removes one key of the master key file. The whole file is written under another name and then
// replaces the old one: a crash leaves one or the other, never half of either. Only one process or thread
// may do this at a time: if two had read the same file, the slower would undo the other's change. A link stays a link:
// the file that it leads to is replaced.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileLock, takeFileLock } from '../files/lock-file.ts';
import { syncFolder, writeSynced } from '../files/synced.ts';
import { KEY_BYTES } from './aes-gcm.ts';
import { MasterKeyProblem } from './load-keys.ts';
import { createMasterKey, parseMasterKey } from './master-key.ts';

/** Changing the file takes milliseconds. */
const WAIT_MS = 10_000;

/** Makes a new key, puts it first in the file, and returns its id. */
export function addToKeyFile(given: string): string {
  const path = realpathSync(given);
  const key = randomBytes(KEY_BYTES);
  alone(path, () => {
    const lines = readFileSync(path, 'utf8').split('\n');
    const first = lines.findIndex((line) => idOf(line) !== undefined);
    lines.splice(Math.max(first, 0), 0, key.toString('base64'));
    replaceFile(path, lines.join('\n'));
  });
  return createMasterKey(key).id;
}

/** Does nothing if the key is not in the file any more. Must not be called for the current key. */
export function removeFromKeyFile(given: string, masterKeyId: string): void {
  const path = realpathSync(given);
  if (!linesWith(path, masterKeyId).isThere) return;
  alone(path, () => {
    const { lines, isThere, current } = linesWith(path, masterKeyId);
    if (current === masterKeyId) {
      throw new MasterKeyProblem(`${masterKeyId} is the current master key: rotate first`);
    }
    if (isThere) replaceFile(path, lines.filter((line) => idOf(line) !== masterKeyId).join('\n'));
  });
}

function linesWith(path: string, masterKeyId: string) {
  const lines = readFileSync(path, 'utf8').split('\n');
  const ids = lines.flatMap((line) => idOf(line) ?? []);
  return { lines, current: ids[0], isThere: ids.includes(masterKeyId) };
}

function alone(path: string, change: () => void): void {
  const lock = `${path}.lock`;
  let taken: FileLock | undefined;
  try {
    taken = takeFileLock(lock, WAIT_MS);
    sameOwner(lock, path);
  } catch (error) {
    taken?.release();
    throw notReplaced(path, error);
  }
  if (taken === undefined) {
    throw new MasterKeyProblem(
      `another process is changing the master key file ${path}; try again`,
    );
  }
  try {
    change();
  } finally {
    taken.release();
  }
}

/**
 * An administrator may run the command: the server must still be able to read the file, so it keeps its
 * owner.
 */
function sameOwner(made: string, path: string): void {
  const [is, wanted] = [statSync(made), statSync(path)];
  if (is.uid !== wanted.uid || is.gid !== wanted.gid) chownSync(made, wanted.uid, wanted.gid);
}

function notReplaced(path: string, error: unknown): MasterKeyProblem {
  const { code } = error as NodeJS.ErrnoException;
  return new MasterKeyProblem(
    `the master key file ${path} cannot be replaced (${code}); change it where it comes from, then restart the server: docs/forgetting.md says how`,
  );
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
    writeSynced(draft, content, 'wx');
    sameOwner(draft, path);
    chmodSync(draft, statSync(path).mode & 0o777);
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw notReplaced(path, error);
  }
}

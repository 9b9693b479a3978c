// A file that is only ever appended to, so that the operating system may refuse everything else (chattr +a).
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { HeadDocument } from '../../domain/audit/proof-documents.ts';
import type { RecordedHead } from '../../domain/store/restore.ts';
import { requireRegular } from '../../files/regular.ts';
import { writeSynced } from '../../files/synced.ts';

/** A head has about 700 bytes. */
const END_BYTES = 65_536;
const HASH = /^[0-9a-f]{64}$/;

export function appendToWitness(path: string, head: HeadDocument): void {
  requireRegular(path);
  // If a full disk has cut a line off, the next line must not continue it.
  const isTorn = !/(^|\n)$/.test(endOf(path));
  writeSynced(path, `${isTorn ? '\n' : ''}${JSON.stringify(head)}\n`, 'a');
}

/** The last head in the file; undefined if the file does not end with one. */
export function lastWitnessed(path: string): RecordedHead | undefined {
  for (const line of endOf(path).split('\n').reverse()) {
    const head = readHead(line);
    if (head !== undefined) return head;
  }
  return undefined;
}

/** Empty if the file does not exist, or must not be read. */
function endOf(path: string): string {
  let file: number;
  try {
    requireRegular(path);
    file = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const from = Math.max(0, fstatSync(file).size - END_BYTES);
    const bytes = Buffer.alloc(END_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, END_BYTES, from));
  } catch {
    return '';
  } finally {
    closeSync(file);
  }
}

function readHead(line: string): RecordedHead | undefined {
  try {
    const { head_no: headNo, hash, time } = JSON.parse(line);
    const isHead = Number.isSafeInteger(headNo) && HASH.test(hash) && Number.isSafeInteger(time);
    return isHead ? { headNo, hash, time } : undefined;
  } catch {
    return undefined;
  }
}

// The newest head of the audit log that this node has seen, in a file beside the store: restoring the store, or
// deleting rows and heads by SQL, does not change it.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedHead } from '../domain/store/restore.ts';
import { requireRegular } from '../files/regular.ts';
import { writeDurably } from '../files/write-durably.ts';
import { setAsideDamaged } from './set-aside-damaged.ts';

const NAME = 'audit-head.json';
/** While a restore is open, the file above keeps the head that was lost. */
const SINCE_RESTORE = 'audit-head.2.json';
const NAMES: readonly string[] = [NAME, SINCE_RESTORE];
const HASH = /^[0-9a-f]{64}$/;

export interface ReadHeads {
  readonly heads: readonly RecordedHead[];
  /** Names of files that exist but cannot be read: what they recorded is lost. */
  readonly unreadable: readonly string[];
}

export interface HeadFile {
  read(): ReadHeads;
  write(head: RecordedHead): void;
  /** The newest head of a store whose restore is open, beside the one that was lost. */
  writeBeside(head: RecordedHead): void;
  /** Called when an operator has confirmed the loss: the files are made to match the store. */
  settle(head: RecordedHead | undefined): void;
}

export function createHeadFile(dataDir: string): HeadFile {
  const names = () => namesIn(dataDir).filter((name) => NAMES.includes(name));

  function write({ headNo, hash, time, lastRestoreNo }: RecordedHead, name = NAME): void {
    const head = { head_no: headNo, hash, time: new Date(time).toISOString() };
    const text = JSON.stringify({ ...head, last_restore_no: lastRestoreNo });
    writeDurably(join(dataDir, name), `${text}\n`);
  }

  function read(): ReadHeads {
    const found = names().map((name) => ({ name, head: readOne(join(dataDir, name)) }));
    return {
      heads: found.flatMap(({ head }) => head ?? []),
      unreadable: found.flatMap(({ name, head }) => (head === undefined ? [name] : [])),
    };
  }

  return {
    read,
    write: (head) => write(head),
    writeBeside: (head) => write(head, SINCE_RESTORE),
    settle(head) {
      for (const name of read().unreadable) setAsideDamaged(join(dataDir, name));
      for (const name of names()) {
        if (name !== NAME || head === undefined) rmSync(join(dataDir, name), { force: true });
      }
      if (head !== undefined) write(head);
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Undefined if it cannot be read, or does not have the form that we write. */
function readOne(path: string): RecordedHead | undefined {
  try {
    requireRegular(path);
    const { head_no, hash, time, last_restore_no } = JSON.parse(readFileSync(path, 'utf8'));
    if (!Number.isSafeInteger(head_no) || head_no < 1 || !HASH.test(hash)) return undefined;
    const head = { headNo: head_no, hash, time: Date.parse(time) || 0 };
    return Number.isSafeInteger(last_restore_no)
      ? { ...head, lastRestoreNo: last_restore_no }
      : head;
  } catch {
    return undefined;
  }
}

// A file that is only ever appended to, so that the operating system may refuse everything else (chattr +a).
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { HeadDocument } from '../../domain/audit/proof-documents.ts';

export function appendToWitness(path: string, head: HeadDocument): void {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, `${JSON.stringify(head)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

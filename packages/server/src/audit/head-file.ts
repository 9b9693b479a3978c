// The newest head, in a file beside the store: deleting rows and heads by SQL does not change it.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownHead } from '../domain/audit/proof-ports.ts';

const NAME = 'audit-head.json';
/** Set aside where the chain went on from an earlier place, until an operator has looked at it. */
const ANY_NAME = /^audit-head(\.\d+)?\.json$/;

export interface HeadFile {
  /** All that were written down. */
  read(): KnownHead[];
  /** Answers the head that was set aside for it: the log was longer once. */
  write(head: KnownHead, time: number): KnownHead | undefined;
}

export function createHeadFile(dataDir: string): HeadFile {
  const path = join(dataDir, NAME);

  function readOne(name: string): KnownHead | undefined {
    try {
      const { head_no, hash } = JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
      return typeof head_no === 'number' && typeof hash === 'string'
        ? { headNo: head_no, hash }
        : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    read: () =>
      readdirSync(dataDir)
        .filter((name) => ANY_NAME.test(name))
        .flatMap((name) => readOne(name) ?? []),
    write(head, time) {
      const before = readOne(NAME);
      const wasLonger = before !== undefined && before.headNo >= head.headNo;
      if (wasLonger) renameSync(path, join(dataDir, `audit-head.${before.headNo}.json`));
      const text = JSON.stringify({
        head_no: head.headNo,
        hash: head.hash,
        time: new Date(time).toISOString(),
      });
      // Renamed into place: a crash leaves the old one or the new one, never half of one.
      const temporary = `${path}.new`;
      writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
      renameSync(temporary, path);
      return wasLonger ? before : undefined;
    },
  };
}

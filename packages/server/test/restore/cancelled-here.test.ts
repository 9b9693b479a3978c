// Finds requests in the files of cancellations, of which there may be very many.
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectRequestId } from '@unwrite/protocol';
import { expect, it, onTestFinished } from 'vitest';
import type { Happened } from '../../src/domain/store/restore.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { FIRST_LINE, lineOf } from '../../src/restore/cancellation-file.ts';
import { createCancelledHere } from '../../src/restore/cancelled-here.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');

function aCancellation(n: number, controllerId = 'acme', time = NOON + n): Happened {
  const id = `a7551968-d5d6-44b2-9831-${n.toString(16).padStart(12, '0')}`;
  return {
    what: 'cancelled',
    time,
    controllerId: controllerId as ControllerId,
    subjectRequestId: id as SubjectRequestId,
  };
}

function world() {
  const folder = makeTemporaryFolder();
  onTestFinished(() => folder.remove());
  const pathOf = (no: number) => join(folder.path, `cancelled-2026-11-15-0000000${no}.jsonl`);
  const write = (no: number, some: readonly Happened[]) =>
    writeFileSync(pathOf(no), FIRST_LINE + some.map(lineOf).join(''));
  return { pathOf, write, cancelledHere: createCancelledHere(folder.path) };
}

it('finds all lines about a request in all files, also those that were added since, and none about others', async () => {
  const { pathOf, write, cancelledHere } = world();
  write(1, [aCancellation(1), aCancellation(2), aCancellation(1, 'other')]);
  write(2, [aCancellation(3), aCancellation(1, 'acme', NOON + 500)]);
  expect(await cancelledHere([aCancellation(1), aCancellation(4)])).toEqual([
    aCancellation(1),
    aCancellation(1, 'acme', NOON + 500),
  ]);
  expect(await cancelledHere([aCancellation(4)])).toEqual([]);
  appendFileSync(pathOf(1), lineOf(aCancellation(4)));
  expect(await cancelledHere([aCancellation(4), aCancellation(4)])).toEqual([aCancellation(4)]);
});

it('finds a request in a damaged line that still names it', async () => {
  const { pathOf, write, cancelledHere } = world();
  write(1, [aCancellation(1), aCancellation(2), aCancellation(3)]);
  const text = readFileSync(pathOf(1), 'utf8').split('\n');
  text[2] = text[2]?.replace('"time"', '"tame"') ?? '';
  writeFileSync(pathOf(1), text.join('\n'));
  const found = await cancelledHere([aCancellation(2)]);
  expect(found).toEqual([aCancellation(2, 'acme', NOON + 1)]);
});

// All that the system calls of this process have read.
const COUNTS = '/proc/self/io';
const bytesRead = () => Number(/^rchar: (\d+)/.exec(readFileSync(COUNTS, 'utf8'))?.[1]);

it.skipIf(!existsSync(COUNTS))(
  'reads the files once, and then only the lines that it was asked for, however often it is asked',
  async () => {
    const { pathOf, write, cancelledHere } = world();
    const all = Array.from({ length: 8000 }, (_, n) => aCancellation(n));
    write(1, all);
    const { size } = statSync(pathOf(1));
    const before = bytesRead();
    let found = 0;
    for (let at = 0; at < all.length; at += 200) {
      found += (await cancelledHere(all.slice(at, at + 200))).length;
    }
    expect(found).toBe(all.length);
    // Forty readings of the whole file would be 40 times its size.
    expect(bytesRead() - before).toBeLessThan(10 * size);
  },
);

import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubjectRequestId } from '@unwrite/protocol';
import { expect, it, onTestFinished } from 'vitest';
import type { Happened } from '../../src/domain/store/restore.ts';
import { StoreUnavailable } from '../../src/domain/store/store-unavailable.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { FIRST_LINE, readCancellations } from '../../src/restore/cancellation-file.ts';
import { createCancellationLog } from '../../src/restore/cancellation-log.ts';
import { createHeadFile } from '../../src/restore/head-file.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const DAY = 86_400_000;

function world() {
  const folder = makeTemporaryFolder();
  const clock = { now: NOON };
  const log = createCancellationLog(
    folder.path,
    () => clock.now,
    () => 10 * DAY,
  );
  onTestFinished(async () => {
    await log.close();
    folder.remove();
  });
  const files = () => readdirSync(folder.path).map((name) => join(folder.path, name));
  async function read(since = 0): Promise<{ found: Happened[]; damaged: string[] }> {
    const found: Happened[] = [];
    const damaged = await readCancellations(folder.path, since, async (some) => {
      found.push(...some);
    });
    return { found, damaged };
  }
  return { folder: folder.path, clock, log, files, read };
}

function aCancellation(n: number, time = NOON): Happened {
  const id = `a7551968-d5d6-44b2-9831-${String(n).padStart(12, '0')}`;
  return {
    what: 'cancelled',
    time,
    controllerId: 'acme' as ControllerId,
    subjectRequestId: id as SubjectRequestId,
  };
}

it('an added cancellation is read again, from one file for each day that only its owner can read', async () => {
  const { log, read, files, clock } = world();
  const many = Array.from({ length: 600 }, (_, n) => aCancellation(n));
  await Promise.all(many.map(log.add));
  expect(await read()).toEqual({ found: many, damaged: [] });
  expect(files()).toHaveLength(1);
  expect(statSync(files()[0] ?? '').mode & 0o777).toBe(0o600);
  clock.now += DAY;
  await log.add(aCancellation(601, clock.now));
  expect(files()).toHaveLength(2);
  expect((await read(clock.now)).found).toEqual([aCancellation(601, clock.now)]);
});

it('a cancellation is read with the time at which its request was received, and the newest restore that was known', async () => {
  const { log, read } = world();
  const cancelled = { ...aCancellation(1), requestTime: NOON - 1234, lastRestoreNo: 2 };
  await log.add(cancelled);
  expect((await read()).found).toEqual([cancelled]);
});

it('a file is removed when its last line is older than it may be kept', async () => {
  const { log, files, clock } = world();
  await log.add(aCancellation(1));
  clock.now += 11 * DAY;
  await log.add(aCancellation(2, clock.now));
  expect(files()).toHaveLength(2);
  clock.now += 2 * DAY;
  await log.add(aCancellation(3, clock.now));
  expect(files()).toHaveLength(2);
});

it.each([
  [
    'a file of before',
    (folder: string) =>
      writeFileSync(join(folder, 'cancelled-2026-11-15-00000000.jsonl'), FIRST_LINE),
  ],
  [
    'the newest head',
    (folder: string) =>
      createHeadFile(folder).write({ headNo: 1, hash: 'a'.repeat(64), time: NOON }),
  ],
])(
  'what a clock years behind has cancelled is kept and read like the others, by %s',
  async (_, prepare) => {
    const { folder, clock, read } = world();
    prepare(folder);
    clock.now = Date.parse('2020-01-01T12:00:00Z');
    const restarted = createCancellationLog(
      folder,
      () => clock.now,
      () => 10 * DAY,
    );
    const cancelled = aCancellation(1, clock.now);
    await restarted.add(cancelled);
    for (const now of [NOON, NOON + DAY, NOON + 2 * DAY]) {
      clock.now = now;
      await restarted.add(aCancellation(2, now));
    }
    await restarted.close();
    expect((await read(NOON - DAY)).found).toContainEqual(cancelled);
  },
);

it('a clock that is a year ahead for a moment removes no file', async () => {
  const { log, read, clock } = world();
  await log.add(aCancellation(1));
  clock.now += 365 * DAY;
  await log.add(aCancellation(2, clock.now));
  clock.now = NOON + DAY;
  await log.add(aCancellation(3, clock.now));
  expect((await read()).found).toContainEqual(aCancellation(1));
});

it.each([
  ['half a line at its end', (text: string) => `${text}{"time":"2026-11-15T12:0`],
  ['zeros at its end', (text: string) => `${text}${'\0'.repeat(100)}`],
])('a file with %s was torn by a crash, and is read up to there', async (_, change) => {
  const { log, read, files } = world();
  await log.add(aCancellation(1));
  const [file = ''] = files();
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  expect(await read()).toEqual({ found: [aCancellation(1)], damaged: [] });
});

it.each([
  ['is empty', () => ''],
  ['has no first line', (text: string) => text.slice(text.indexOf('\n') + 1)],
  [
    'has a line that is no cancellation before others',
    (text: string) => text.replace('"time"', '"tame"'),
  ],
  ['is overwritten', () => 'something else\n'],
])('a file that %s is damaged', async (_, change) => {
  const { log, read, files } = world();
  await log.add(aCancellation(1));
  await log.add(aCancellation(2));
  const [file = ''] = files();
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  expect((await read()).damaged).toHaveLength(1);
});

it.each([
  ['first line', 0, [1, 2, 3]],
  ['second cancellation', 2, [1, 3]],
])('what can be read of a file whose %s is damaged is read', async (_, damaged, expected) => {
  const { log, read, files } = world();
  for (const n of [1, 2, 3]) await log.add(aCancellation(n));
  const [file = ''] = files();
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[damaged] = '\0'.repeat(20);
  writeFileSync(file, lines.join('\n'));
  const { found, damaged: names } = await read();
  expect(found).toEqual(expected.map((n) => aCancellation(n)));
  expect(names).toHaveLength(1);
});

it.skipIf(process.platform === 'win32')(
  'a pipe in the place of a file is damaged, and nothing waits for its other end',
  async () => {
    const { folder, read } = world();
    execFileSync('mkfifo', [join(folder, 'cancelled-2026-11-15-00000000.jsonl')]);
    expect((await read()).damaged).toHaveLength(1);
  },
);

it('a cancellation whose time is damaged is read with the time of the one before it', async () => {
  const { log, read, files } = world();
  for (const n of [1, 2, 3]) await log.add(aCancellation(n, NOON + n));
  const [file = ''] = files();
  const lines = readFileSync(file, 'utf8').split('\n');
  lines[2] = `${lines[2]?.slice(0, 12)}\0\0\0${lines[2]?.slice(15)}`;
  writeFileSync(file, lines.join('\n'));
  const { found, damaged } = await read();
  expect(found).toEqual([1, 2, 3].map((n) => aCancellation(n, NOON + (n === 2 ? 1 : n))));
  expect(damaged).toHaveLength(1);
});

it('a cancellation that cannot be written is refused, as are further ones; it is written when that works again', async () => {
  const { folder, log, read, clock } = world();
  await log.ready();
  await log.add(aCancellation(1));
  clock.now += DAY;
  const away = `${folder}-away`;
  renameSync(folder, away);
  try {
    await expect(log.add(aCancellation(2, clock.now))).rejects.toThrow(StoreUnavailable);
    await expect(log.ready()).rejects.toThrow(StoreUnavailable);
  } finally {
    renameSync(away, folder);
  }
  chmodSync(folder, 0o700);
  await log.ready();
  await log.add(aCancellation(3, clock.now));
  expect((await read()).found).toEqual([
    aCancellation(1),
    aCancellation(2, clock.now),
    aCancellation(3, clock.now),
  ]);
});

it('a cancellation that could not be written is written before the log is closed', async () => {
  const { folder, log, read } = world();
  const away = `${folder}-away`;
  renameSync(folder, away);
  await expect(log.add(aCancellation(1))).rejects.toThrow(StoreUnavailable);
  renameSync(away, folder);
  await log.close();
  expect((await read()).found).toEqual([aCancellation(1)]);
});

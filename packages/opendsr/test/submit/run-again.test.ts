// What a second run meets: a corrected file, a full disk, a lock that was left.
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../../../server/test/helpers/use-bundle.ts';
import { prepareSubmitting } from '../helpers/submitting.ts';

const MAIN = bundled(fileURLToPath(new URL('../../src/main.ts', import.meta.url)));
const ARGS = ['--file', 'people.csv', '--regulation', 'gdpr', '--submitted-time', 'now'];

const world = await prepareSubmitting();
const { processor, path, read, write } = world;
const submit = () => world.submit(ARGS);

/** In a process of its own that may write files of this size at most: as with a full disk, a write fails midway. */
function submitWithLimit(blocks: number) {
  const script = `ulimit -f ${blocks}; exec "$0" "$@"`;
  const env = { PATH: process.env.PATH, ...processor.environment };
  return new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(
      'sh',
      ['-c', script, process.execPath, MAIN, 'submit', ...ARGS],
      { cwd: path(''), env },
      (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

describe('opendsr submit, run again', () => {
  it('takes the corrected file if nothing was sent before', async () => {
    write('people.csv', 'email\n blank@x.test\n');
    expect((await submit()).exitCode).toBe(2);
    write('people.csv', 'email\nblank@x.test\n');
    expect(await submit()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(processor.requests.size).toBe(1);
  });

  it('takes the corrected file if all lines of the first were skipped', async () => {
    write('people.csv', 'email\n a@x.test\n b@x.test\n');
    const skip = [...ARGS, '--skip-invalid'];
    expect((await world.submit(skip)).exitCode).toBe(1);
    write('people.csv', 'email\na@x.test\n');
    expect(await world.submit(skip)).toMatchObject({ exitCode: 0, stderr: '' });
    const results = read('people.csv.results.csv').trimEnd().split('\n');
    expect(results.slice(1)).toEqual([expect.stringMatching(/^2,[0-9a-f-]{36},created,/)]);
  });

  it('carries on after a full disk, and submits nobody twice', async ({ skip }) => {
    skip(process.platform === 'win32', 'ulimit is not to be had');
    write(
      'people.csv',
      `email\n${Array.from({ length: 300 }, (_, n) => `p${n}@x.test\n`).join('')}`,
    );
    const { code, stderr } = await submitWithLimit(40);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /^opendsr: \S+journal cannot be written \(EFBIG\), .*make room[^\n]*\n$/,
      ),
    ]);
    expect(processor.requests.size).toBeLessThan(300);
    expect(await submit()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(processor.requests.size).toBe(300);
  });

  it('leaves no lock on a disk that was full from the beginning', async ({ skip }) => {
    skip(process.platform === 'win32', 'ulimit is not to be had');
    write('people.csv', 'email\na@x.test\n');
    const { code, stderr } = await submitWithLimit(0);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/lock cannot be written \(EFBIG\)/)]);
    expect(await submit()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('says that the file was changed meanwhile, and not that nothing was sent', async () => {
    write('people.csv', 'email\na@x.test\n');
    processor.fault = (_, reply) => {
      writeFileSync(path('people.csv'), 'b@x.test\n', { flag: 'a' });
      return reply;
    };
    const { exitCode, stderr } = await submit();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('was changed while')]);
  });
});

it('refuses a journal with a damaged id: another one must not be sent in its place', async () => {
  write('people.csv', 'email\na@x.test\n');
  expect((await submit()).exitCode).toBe(0);
  const journal = read('people.csv.journal');
  write('people.csv.journal', journal.replace(/("ids":\[")./, '$1X'));
  const calls = processor.calls.length;
  const { exitCode, stderr } = await submit();
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('it was changed')]);
  expect(processor.calls.length).toBe(calls);
});

describe('the lock of the journal', () => {
  const lockOf = (owner: string) => write('people.csv.journal.lock', owner);
  beforeEach(() => write('people.csv', 'email\na@x.test\n'));

  it('of a process that has died does not count, also if this one has its number', async () => {
    for (const pid of [999_999_999, process.pid]) {
      lockOf(`${pid} ${hostname()}\n`);
      expect(await submit()).toMatchObject({ exitCode: 0, stderr: '' });
    }
  });

  it.each([
    ['of a process that runs', `${process.ppid} ${hostname()}\n`],
    ['of another machine', '1 elsewhere\n'],
    ['that is being written', ''],
  ])('%s counts', async (_, owner) => {
    lockOf(owner);
    const { exitCode, stderr } = await submit();
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^opendsr: process .* works with/),
    ]);
    expect(read('people.csv.journal.lock')).toBe(owner);
    rmSync(path('people.csv.journal.lock'));
  });

  it('is held by one of two runs at once', async () => {
    const ends = await Promise.all([submit(), submit()]);
    expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 2]);
    expect(processor.requests.size).toBe(1);
  });
});

describe('a file without a line of names', () => {
  it.each([
    ['people', 'jane@example.com,1\njoe@example.com,2\n'],
    ['UTF-16 without a mark', Buffer.from('email\njane@example.com\n', 'utf16le')],
    ['lines that end with CR', 'email\rjane@example.com\r'],
  ])('is refused without repeating it: %s', async (_, text) => {
    write('people.csv', text);
    const { exitCode, stderr } = await submit();
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('must name the columns')]);
    expect(stderr).not.toMatch(/jane|joe/);
  });

  it('may have columns without a name, which nobody reads', async () => {
    write('people.csv', 'email;;\na@x.test;;\n');
    expect(await submit()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

// Files that are not what the command was told, and columns that are nearly those that it reads.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { prepareSubmitting } from '../helpers/submitting.ts';

const world = await prepareSubmitting();
const { processor, path, read, write } = world;
const PEOPLE = 'email,submitted_time\njane@example.com,2026-11-01T10:00:00Z\n';
const submit = (...more: readonly string[]) =>
  world.submit(['--file', 'people.csv', '--regulation', 'gdpr', ...more]);

describe('one file for two purposes', () => {
  it.each([
    ['the results', ['--results', 'people.csv']],
    ['the journal', ['--journal', './people.csv']],
    ['the journal and the results', ['--journal', 'x', '--results', 'x']],
    ['a symbolic link', ['--results', 'link.csv']],
    ['a hard link', ['--results', 'hard.csv']],
  ])('is refused, and the file of people stays: %s', async (_, more) => {
    write('people.csv', PEOPLE);
    symlinkSync('people.csv', path('link.csv'));
    linkSync(path('people.csv'), path('hard.csv'));
    const { exitCode, stderr } = await submit(...more);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('must be different files')]);
    expect(read('people.csv')).toBe(PEOPLE);
    expect(processor.requests.size).toBe(0);
  });

  it('is no matter where a file is not there yet', async () => {
    write('people.csv', PEOPLE);
    expect(await submit('--journal', 'a', '--results', 'b')).toMatchObject({ exitCode: 0 });
    expect(existsSync(path('people.csv.journal'))).toBe(false);
  });
});

describe('a journal that is another file', () => {
  it.each(['precious', 'precious\n', '{"opendsr":', '{"opendsr":"profile"}'])(
    'is left as it is: %j',
    async (text) => {
      write('people.csv', PEOPLE);
      write('notes.txt', text);
      const { exitCode, stderr } = await submit('--journal', 'notes.txt');
      const isCutOff = '{"opendsr":"journal"'.startsWith(text);
      expect([exitCode, stderr]).toEqual(
        isCutOff ? [0, ''] : [2, expect.stringContaining('is not a journal of this command')],
      );
      if (!isCutOff) expect(read('notes.txt')).toBe(text);
    },
  );
});

describe('values', () => {
  it.each([
    ['a zero-width space', 'a@x.test\u200b'],
    ['a mark of the writing direction', '\u202aa@x.test'],
    ['a soft hyphen', 'a\u00ad@x.test'],
  ])('with %s are refused: nobody would be found by them', async (_, value) => {
    write('people.csv', `email\n${value}\n`);
    const { exitCode, stderr } = await submit('--submitted-time', 'now');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('line 2 email has an invisible'),
    ]);
  });
});

describe('columns', () => {
  it.each([
    ['Controller_Customer_ID', 'email,Controller_Customer_ID,submitted_time', 'a@x.test,7'],
    ['Regulation', 'email,Regulation,submitted_time', 'a@x.test,ccpa'],
    ['email ', 'controller_customer_id,email ,submitted_time', '7,a@x.test'],
  ])('that are nearly one that is read are not left out silently: %j', async (name, head, row) => {
    write('people.csv', `${head}\n${row},2026-11-01T10:00:00Z\n`);
    const { exitCode, stderr } = await submit();
    expect([exitCode, processor.requests.size]).toEqual([2, 0]);
    expect(stderr).toContain(`"${name}"`);
    expect(stderr).toContain('--map');
  });

  it('are found in lines of NDJSON too', async () => {
    write('people.ndjson', '{"email": "a@x.test"}\n{"email": "b@x.test", "Regulation": "ccpa"}\n');
    const args = ['--file', 'people.ndjson', '--submitted-time', 'now'];
    const { exitCode, stderr } = await submit(...args);
    expect([exitCode, processor.requests.size]).toEqual([2, 0]);
    expect(stderr).toContain('line 2 has "Regulation", which is not "regulation" to the letter');
  });

  it('may have any other case where they are mapped, or another column has the name', async () => {
    write('people.csv', 'Email,email,SUBMITTED_TIME\nx,jane@example.com,2026-11-01T10:00:00Z\n');
    const mapped = await submit('--map', 'submitted_time=SUBMITTED_TIME');
    expect(mapped).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

it.each(['2026-02-30T00:00:00Z', '2026-11-31T10:00:00+01:00', '2026-11-01T24:00:00Z'])(
  'a time that does not exist is found before anything is sent: %s',
  async (time) => {
    write('people.csv', `${PEOPLE}joe@example.com,${time}\n`);
    const { exitCode, stderr } = await submit();
    expect([exitCode, processor.requests.size]).toEqual([2, 0]);
    expect(stderr).toContain('line 3 submitted_time must be');
  },
);

describe('a line of NDJSON', () => {
  const ndjson = ['--file', 'people.ndjson', '--submitted-time', 'now'];

  it.each([
    ['has a key twice', '{"email": "a@x.test", "email": "b@x.test"}'],
    ['has it in another spelling', '{"email": "a@x.test", "e\\u006dail": "b@x.test"}'],
    ['has half a character', '{"email": "\\ud800@x.test"}'],
    ['is a list', '[{"email": "a@x.test"}]'],
  ])('is refused if it %s', async (_, line) => {
    write('people.ndjson', `${line}\n`);
    const { exitCode, stderr } = await submit(...ndjson);
    expect([exitCode, processor.requests.size]).toEqual([2, 0]);
    expect(stderr).toContain('line 1 is not a JSON object with each key once');
    expect(stderr).not.toContain('x.test');
  });

  it('is refused soon if it has no end', async () => {
    write('people.ndjson', `{"email": "a@x.test"}\n{"x": "${'y'.repeat(5_000_000)}`);
    const { exitCode, stderr } = await submit(...ndjson);
    expect([exitCode, processor.requests.size]).toEqual([2, 0]);
    expect(stderr).toContain('line 2 is too long; is it NDJSON');
  });
});

describe('options that cannot be meant', () => {
  it.each([
    ['a delimiter of two characters', ['--delimiter', '||'], 'one character'],
    ['a quote as delimiter', ['--delimiter', '"'], 'one character'],
    ['no delimiter', ['--delimiter', ''], 'one character'],
    ['two times', ['--map', 'submitted_time=a', '--map', 'submitted_time=b'], 'says twice'],
    ['a column twice', ['--map', 'email=a', '--map', 'email=a'], 'says twice'],
    ['results in a folder that is not there', ['--results', 'no/results.csv'], 'ENOENT'],
    ['results that are a folder', ['--results', '.'], 'is a folder'],
  ])('are refused before anything is sent: %s', async (_, more, problem) => {
    write('people.csv', PEOPLE);
    const { exitCode, stderr } = await submit(...more);
    expect([exitCode, processor.requests.size]).toEqual([2, 0]);
    expect(stderr).toContain(problem);
  });
});

describe('the lock of a run that has died', () => {
  it('is taken by one of three runs that find it at the same moment', async () => {
    const lock = new URL('../../src/submit/lock.ts', import.meta.url).href;
    const locks = Array.from({ length: 40 }, (_, n) => path(`journal-${n}`));
    // A number that no process has.
    for (const name of locks) writeFileSync(`${name}.lock`, `9999999 ${hostname()}\n`);
    const script = `
      const { lockJournal } = await import(${JSON.stringify(lock)});
      const [start, ...locks] = process.argv.slice(1);
      const taken = locks.map((name, n) => {
        while (Date.now() < Number(start) + 10 * n);
        try { lockJournal(name); return 1; } catch { return 0; }
      });
      console.log(JSON.stringify(taken));
      process.stdin.resume();
    `;
    const start = String(Date.now() + 1000);
    const runs = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script, start, ...locks]),
    );
    const taken: number[][] = await Promise.all(
      runs.map(async ({ stdout }) => JSON.parse(String((await once(stdout, 'data'))[0]))),
    );
    for (const run of runs) run.stdin.end();
    const counts = locks.map((_, n) => taken.reduce((sum, it) => sum + (it[n] ?? 0), 0));
    expect(new Set(counts)).toEqual(new Set([1]));
  });
});

import { existsSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Fault, refusal } from '../helpers/processor.ts';
import { prepareSubmitting } from '../helpers/submitting.ts';

const { processor, path, read, write, submit } = await prepareSubmitting();

const CSV = [
  'email,controller_customer_id,submitted_time',
  'jane@example.com,C-1,2026-11-01T10:00:00Z',
  '"quoted, ""name""@example.com",,2026-11-02T10:00:00Z',
  ',C-3,2026-11-03T10:00:00+01:00',
  '',
].join('\n');

const gdpr = ['--file', 'people.csv', '--regulation', 'gdpr'];
const people = () =>
  [...processor.requests.values()]
    .map(({ body }) => body.subject_identities as { identity_value: string }[])
    .map((identities) => identities.map(({ identity_value }) => identity_value).join('+'))
    .sort();
/** Named `p1@x.test`, `p2@x.test`, … */
const many = (count: number) =>
  `email,submitted_time\n${Array.from({ length: count }, (_, n) => `p${n + 1}@x.test,2026-11-01T10:00:00Z\n`).join('')}`;

describe('opendsr submit', () => {
  it('submits each person of a CSV file, and says how it ended', async () => {
    write('people.csv', CSV);
    const { exitCode, stdout, stderr } = await submit(gdpr);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('3 of 3 people are submitted.');
    expect(people()).toEqual(['C-3', 'jane@example.com+C-1', 'quoted, "name"@example.com']);
    // Several are under way at once: they arrive in any order.
    const bodies = [...processor.requests.values()].map(({ body }) => body);
    expect(bodies).toContainEqual({
      regulation: 'gdpr',
      subject_request_id: expect.any(String),
      subject_request_type: 'erasure',
      submitted_time: '2026-11-01T10:00:00Z',
      api_version: '2.0',
      subject_identities: [
        { identity_type: 'email', identity_value: 'jane@example.com', identity_format: 'raw' },
        { identity_type: 'controller_customer_id', identity_value: 'C-1', identity_format: 'raw' },
      ],
    });
  });

  it('writes one line a person, in the order of the file, without the person', async () => {
    write('people.csv', CSV);
    await submit(gdpr);
    const [header, ...rows] = read('people.csv.results.csv').trimEnd().split('\n');
    expect(header).toBe(
      'line,subject_request_id,outcome,expected_completion_time,code,http_status',
    );
    expect(rows.map((row) => row.split(',')[0])).toEqual(['2', '3', '4']);
    for (const row of rows) {
      const [, id = '', outcome, time = ''] = row.split(',');
      expect(processor.requests.has(id)).toBe(true);
      expect([outcome, Number.isNaN(Date.parse(time))]).toEqual(['created', false]);
    }
  });

  it('keeps nothing of the people in the journal and the results, which only their owner can read', async () => {
    write('people.csv', CSV);
    await submit(gdpr);
    for (const name of ['people.csv.journal', 'people.csv.results.csv']) {
      expect(read(name)).not.toMatch(/jane|example\.com|C-1|quoted/);
      expect(statSync(path(name)).mode & 0o777).toBe(0o600);
    }
    expect(existsSync(path('people.csv.journal.lock'))).toBe(false);
  });

  it('submits nobody a second time', async () => {
    write('people.csv', CSV);
    await submit(gdpr);
    const { length } = processor.calls;
    const { exitCode, stdout } = await submit(gdpr);
    expect([exitCode, processor.calls.length]).toEqual([0, length]);
    expect(stdout).toContain('3 of 3 people are submitted (3 of them in earlier runs).');
  });

  it('has every id on the disk before it is sent', async () => {
    write('people.csv', many(300));
    const missing: unknown[] = [];
    processor.fault = (call, reply) => {
      const id = String(call.body?.subject_request_id);
      if (
        call.method === 'POST' &&
        call.path === '/requests' &&
        !read('people.csv.journal').includes(id)
      )
        missing.push(id);
      return reply;
    };
    expect((await submit(gdpr)).exitCode).toBe(0);
    expect([processor.requests.size, missing]).toEqual([300, []]);
  });

  it('reads NDJSON, and standard input', async () => {
    const lines = [
      '{"email":"a@x.test","regulation":"ccpa"}',
      '',
      '{"controller_customer_id":"C-9"}',
    ];
    const input = `${lines.join('\n')}\n`;
    const args = ['--file', '-', '--format', 'ndjson', '--journal', 'j', '--regulation', 'gdpr'];
    const time = ['--submitted-time', '2026-11-01T10:00:00Z'];
    expect((await submit([...args, ...time], { input })).exitCode).toBe(0);
    expect(people()).toEqual(['C-9', 'a@x.test']);
    expect([...processor.requests.values()].map(({ body }) => body.regulation).sort()).toEqual([
      'ccpa',
      'gdpr',
    ]);
    expect(read('j.results.csv').split('\n')).toHaveLength(4);
    // The same input again, and then another.
    expect((await submit([...args, ...time], { input })).stdout).toContain('2 of them in earlier');
    const other = await submit([...args, ...time], { input: `${input}{"email":"b@x.test"}\n` });
    expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('was changed')]);
  });

  it('takes other columns, formats and delimiters', async () => {
    write(
      'kunden.csv',
      '\ufeffE-Mail;Hash;Datum;Name\r\nA@x.test;0cc1;2026-11-01T10:00:00Z;Jane\r\n',
    );
    const map = ['email=E-Mail', 'email:sha256=Hash', 'submitted_time=Datum'];
    const args = map.flatMap((it) => ['--map', it]);
    processor.fault = (call, reply) =>
      call.method === 'POST' && reply.status === 400 ? { ...reply, status: 418 } : reply;
    await submit(['--file', 'kunden.csv', '--regulation', 'gdpr', ...args]);
    expect(processor.calls[0]?.body?.subject_identities).toEqual([
      { identity_type: 'email', identity_value: 'A@x.test', identity_format: 'raw' },
      { identity_type: 'email', identity_value: '0cc1', identity_format: 'sha256' },
    ]);
    expect(processor.calls[0]?.text).not.toContain('Jane');
  });

  it('sends the same time in the second run where it is now', async () => {
    write('people.csv', 'email\na@x.test\n');
    processor.fault = () => refusal(503);
    const args = [...gdpr, '--submitted-time', 'now'];
    expect((await submit(args)).exitCode).toBe(1);
    processor.fault = undefined;
    const times = () => new Set(processor.calls.map(({ body }) => body?.submitted_time));
    expect((await submit(args)).exitCode).toBe(0);
    expect(times().size).toBe(1);
  });
});

describe('lines that cannot be sent', () => {
  const BAD = [
    'email,submitted_time',
    'good@x.test,2026-11-01T10:00:00Z',
    ' blank@x.test,2026-11-01T10:00:00Z',
    ',2026-11-01T10:00:00Z',
    'date@x.test,01.11.2026',
    'short@x.test',
  ].join('\n');

  it('keep anything from being sent, and are listed without who is meant', async () => {
    write('people.csv', BAD);
    const { exitCode, stderr } = await submit(gdpr);
    expect(exitCode).toBe(2);
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      expect.stringContaining('4 of 5 lines'),
      '  line 3 email has white space at an end',
      expect.stringMatching(/^ {2}line 4 names nobody/),
      expect.stringMatching(/^ {2}line 5 submitted_time must be/),
      '  line 6 has 1 cells, and the first line 2',
    ]);
    expect(stderr).not.toMatch(/x\.test/);
    expect(processor.calls).toEqual([]);
  });

  it('can be skipped, and are in the results', async () => {
    write('people.csv', BAD);
    const { exitCode, stdout } = await submit([...gdpr, '--skip-invalid', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ total: 5, submitted: 1, invalid: 4, failed: 0 });
    expect(read('people.csv.results.csv')).toMatch(/^3,,invalid,,,$/m);
  });

  it.each([
    ['a quote within a cell', 'email\na"b@x.test\n', /line 2: a quote within a cell/],
    ['a quote that is not closed', 'email\n"a@x.test\nb@x.test\n', /line 2: a quote is not closed/],
    ['text after a quote', 'email\n"a"b@x.test\n', /line 2: text after a closing quote/],
    ['another encoding', Buffer.from('email\nj\xfcrgen@x.test\n', 'latin1'), /not UTF-8/],
    ['no people', 'email\n', /names nobody/],
    ['no known column', 'mail,name\na,b\n', /the columns are "mail", "name": say which/],
    ['a column twice', 'email,email\na,b\n', /"email" is there twice/],
  ])('make a file unreadable: %s', async (_, text, message) => {
    write('people.csv', text);
    const { exitCode, stderr } = await submit([...gdpr, '--submitted-time', 'now']);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(processor.calls).toEqual([]);
  });

  it('say which column is not there', async () => {
    write('people.csv', CSV);
    const { exitCode, stderr } = await submit([...gdpr, '--map', 'email=E-Mail']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no column "E-Mail"')]);
  });
});

describe('a processor that fails', () => {
  it('refuses some: the others are submitted, and the next run tries those again', async () => {
    write('people.csv', many(20));
    const refuses: Fault = (call, reply) =>
      call.text.includes('p7@') ? refusal(400, 'bad p7@x.test') : reply;
    processor.fault = (call, reply) =>
      call.method === 'POST' && call.path === '/requests' ? refuses(call, reply) : reply;
    // The processor has stored it all the same; it must not count.
    const first = await submit(gdpr);
    expect(first.exitCode).toBe(1);
    expect(first.stdout).toContain('19 of 20 people are submitted');
    expect(`${first.stdout}${first.stderr}${read('people.csv.journal')}`).not.toContain('p7@');
    expect(read('people.csv.results.csv')).toMatch(
      /^8,[0-9a-f-]{36},failed,,invalid_request,400$/m,
    );
    processor.fault = undefined;
    const second = await submit(gdpr);
    expect([second.exitCode, processor.requests.size]).toEqual([0, 20]);
    expect(read('people.csv.results.csv')).toMatch(/^8,[0-9a-f-]{36},stored_before,/m);
  });

  it('loses answers: nobody is submitted twice, and nobody is left out', async () => {
    write('people.csv', many(100));
    let stored = 0;
    processor.fault = (_, reply) =>
      reply.status === 201 && ++stored % 3 === 0 ? undefined : reply;
    expect((await submit(gdpr)).exitCode).toBe(0);
    expect([people().length, new Set(people()).size]).toEqual([100, 100]);
    expect(read('people.csv.results.csv')).toContain('stored_before');
  });

  it('is away: the run stops, and the next one carries on', async () => {
    write('people.csv', many(200));
    let calls = 0;
    processor.fault = (_, reply) => (++calls > 50 ? refusal(503) : reply);
    const first = await submit([...gdpr, '--concurrency', '4']);
    expect(first.exitCode).toBe(3);
    expect(first.stdout).toContain('Run the same command again to carry on.');
    expect(processor.requests.size).toBeLessThan(200);
    processor.fault = undefined;
    expect((await submit([...gdpr, '--concurrency', '4'])).exitCode).toBe(0);
    expect([people().length, new Set(people()).size]).toEqual([200, 200]);
  });

  it('refuses the credentials: the run stops at once', async () => {
    write('people.csv', many(100));
    const env = { ...processor.environment, OPENDSR_CLIENT_SECRET: 'wrong' };
    const { exitCode, stdout } = await submit(gdpr, { env });
    expect([exitCode, stdout]).toEqual([
      3,
      expect.stringContaining('check clientId, clientSecret'),
    ]);
    expect(processor.calls).toEqual([]);
    expect(stdout).not.toContain('wrong');
  });

  it('is interrupted by Ctrl+C: those under way are waited for', async () => {
    write('people.csv', many(500));
    let interrupt: () => void = () => undefined;
    processor.fault = (_, reply) => {
      if (processor.requests.size === 100) interrupt();
      return reply;
    };
    const io = {
      onInterrupt(listener: () => void) {
        interrupt = listener;
        return () => undefined;
      },
      // The calls that are under way end before that.
      wait: (_: number, signal?: AbortSignal) =>
        new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', reject)),
    };
    const { exitCode, stdout } = await submit(gdpr, { io });
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('Stopped: it was interrupted')]);
    const { size } = processor.requests;
    expect(size).toBeLessThan(200);
    expect(read('people.csv.results.csv').trimEnd().split('\n')).toHaveLength(size + 1);
  });
});

describe('the journal', () => {
  it.each([
    ['another file', () => write('people.csv', many(3)), [], /the file was changed/],
    ['another regulation', () => undefined, ['--regulation', 'ccpa'], /read in another way/],
    ['another mapping', () => undefined, ['--map', 'email=email'], /read in another way/],
    [
      'another processor',
      () => undefined,
      ['--base-url', 'http://localhost:1'],
      /another processor/,
    ],
    ['another client', () => undefined, ['--client-id', 'cli_other'], /another client/],
  ])('does not fit %s', async (_, change, more, message) => {
    write('people.csv', many(2));
    await submit(gdpr);
    const { length } = processor.calls;
    change();
    const { exitCode, stderr } = await submit([...gdpr, ...more]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(processor.calls).toHaveLength(length);
  });

  it('that is something else is left as it is', async () => {
    write('people.csv', many(2));
    write('people.csv.journal', 'dear diary\n');
    const { exitCode, stderr } = await submit(gdpr);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is not a journal')]);
    expect(read('people.csv.journal')).toBe('dear diary\n');
  });

  it('whose last line was cut off by a crash is carried on with', async () => {
    write('people.csv', many(10));
    await submit(gdpr);
    const whole = read('people.csv.journal');
    // Half of the last outcome, and none of the one before it.
    const lines = whole.trimEnd().split('\n');
    write('people.csv.journal', `${lines.slice(0, -2).join('\n')}\n${lines.at(-1)?.slice(0, 9)}`);
    expect((await submit(gdpr)).exitCode).toBe(0);
    expect([people().length, new Set(people()).size]).toEqual([10, 10]);
    expect(read('people.csv.results.csv').match(/stored_before/g)).toHaveLength(2);
  });
});

describe('the progress bar', () => {
  it('has rate and time left, on a terminal', async () => {
    write('people.csv', many(30));
    let now = 1_800_000_000_000;
    const io = { now: () => (now += 50) };
    const { stderr } = await submit(gdpr, { columns: 100, io });
    expect(stderr).toMatch(/\rSubmitting \[#+\.+\] \d+\/30 [\d.]+\/s \d+ s left/);
    expect(stderr).toMatch(/\[#{40}\] 30\/30 /);
  });

  it('says that it waits for the processor, on one line', async () => {
    write('people.csv', many(3));
    processor.fault = (_, reply) => {
      processor.fault = undefined;
      return reply.status === 200 ? refusal(503) : reply;
    };
    const { stderr } = await submit(gdpr, { columns: 60 });
    expect(stderr).toContain('waiting for the');
    expect(stderr).toMatch(/3\/3 [^w]*\n$/);
    const lines = stderr.split(/\r|\n/).map((line) => line.replace('\u001b[K', ''));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(60);
  });

  it('is not there otherwise', async () => {
    write('people.csv', many(3));
    expect((await submit(gdpr)).stderr).toBe('');
    write('others.csv', many(4));
    const quiet = ['--file', 'others.csv', '--regulation', 'gdpr', '--quiet'];
    expect((await submit(quiet, { columns: 80 })).stderr).toBe('');
  });
});

// Lists of people and requests at a processor that does not work any more: the run stops instead of trying each.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Call, type Fault, json, type Reply, refusal } from './helpers/processor.ts';
import { opendsr } from './helpers/run.ts';
import { prepareSubmitting } from './helpers/submitting.ts';

const { processor, path, write, submit } = await prepareSubmitting();

const gdpr = ['--file', 'people.csv', '--regulation', 'gdpr', '--submitted-time', 'now'];
const many = (count: number, name = 'email') =>
  `${name}\n${Array.from({ length: count }, (_, n) => `p${n + 1}@x.test\n`).join('')}`;
const page = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<h1>Please log in</h1>',
});
const isToken = ({ path: it }: Call) => it === '/oauth/token';
const atApi =
  (reply: Reply): Fault =>
  (call, right) =>
    isToken(call) ? right : reply;

describe('opendsr submit', () => {
  it.each([
    ['the page of a proxy', 200],
    ['a redirect', 302],
    ['a page that says 403', 403],
    ['a page that says 404', 404],
  ])('stops where all calls get %s, and carries on later', async (_, status) => {
    write('people.csv', many(150));
    processor.fault = atApi(page(status));
    const { exitCode, stdout } = await submit(gdpr);
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('to carry on')]);
    expect(processor.calls.length).toBeLessThan(40);
    processor.fault = undefined;
    expect((await submit(gdpr)).exitCode).toBe(0);
    expect(processor.requests.size).toBe(150);
  });

  it('stops where the token endpoint answers with a page', async () => {
    write('people.csv', many(150));
    let tokens = 0;
    processor.fault = (call, right) => {
      if (!isToken(call)) return right;
      tokens++;
      return page(200);
    };
    const { exitCode, stdout } = await submit(gdpr);
    expect([exitCode, stdout]).toEqual([3, expect.stringContaining('check tokenUrl')]);
    expect(tokens).toBeLessThan(40);
  });

  it('does not stop at a few people whom a firewall refuses', async () => {
    write('people.csv', many(60));
    processor.fault = (call, right) => (/"p1?5@x/.test(call.text) ? page(403) : right);
    const { exitCode, stdout } = await submit(gdpr);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('58 of 60 people')]);
  });

  it('stops where the first hundred are refused, as the file is wrong then', async () => {
    write('people.csv', many(400));
    processor.fault = atApi(refusal(400, 'submitted_time is in the future'));
    const { exitCode, stdout } = await submit(gdpr);
    expect([exitCode, stdout]).toEqual([3, expect.stringMatching(/Stopped: .* in the future/)]);
    expect(processor.calls.length).toBeLessThan(120);
  });

  it('does not stop at two hundred that are refused after one was not', async () => {
    write('people.csv', many(300));
    processor.fault = (call, right) =>
      isToken(call) || /"p([1-9]|2\d\d|300)@x/.test(call.text) ? right : refusal(400);
    const { exitCode, stdout } = await submit([...gdpr, '--concurrency', '1']);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('110 of 300 people')]);
  });
});

describe.each(['status', 'cancel'])('opendsr %s', (command) => {
  const run = (env: Readonly<Record<string, string>> = processor.environment) => {
    const rows = Array.from({ length: 300 }, (_, n) => `${n + 2},${randomUUID()},created,,,`);
    write('r.csv', `line,subject_request_id,outcome,x,y,z\n${rows.join('\n')}\n`);
    const yes = command === 'cancel' ? ['--yes'] : [];
    return opendsr([command, '--results', 'r.csv', ...yes], { cwd: path(''), env });
  };

  it('asks about each of many that are not known', async () => {
    const { exitCode, stdout } = await run();
    expect([exitCode, stdout.match(/not_found/g)?.length]).toEqual([1, expect.any(Number)]);
    expect(processor.calls).toHaveLength(300);
  });

  it.each([
    ['the page of a proxy', page(200)],
    ['500', refusal(500)],
  ])('stops where all calls get %s', async (_, reply) => {
    processor.fault = atApi(reply);
    const { exitCode, stderr } = await run();
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('stopped before the end')]);
    expect(processor.calls.length).toBeLessThan(40);
  });

  it('does not guess a secret three hundred times', async () => {
    let tokens = 0;
    processor.fault = (call, right) => {
      if (isToken(call)) tokens++;
      return right;
    };
    const env = { ...processor.environment, OPENDSR_CLIENT_SECRET: 'wrong' };
    const { exitCode, stderr } = await run(env);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('check clientId')]);
    expect(tokens).toBeLessThan(10);
  });
});

describe('opendsr watch', () => {
  const watch = (length: number, env: Readonly<Record<string, string>> = processor.environment) => {
    const ids = Array.from({ length }, () => randomUUID());
    for (const id of ids) {
      const times = { received_time: 'x', expected_completion_time: '2026-12-15T02:00:00.000Z' };
      processor.requests.set(id, { status: 'completed', body: {}, times });
    }
    return opendsr(['watch', ...ids], { cwd: path(''), env });
  };

  it('goes on after an answer that cannot be read', async () => {
    let calls = 0;
    processor.fault = (call, right) => (!isToken(call) && ++calls === 3 ? json(200, {}) : right);
    expect(await watch(40)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([1, 40])('ends where the credentials are refused: %i requests', async (count) => {
    const env = { ...processor.environment, OPENDSR_CLIENT_SECRET: 'wrong' };
    const { exitCode, stderr } = await watch(count, env);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('check clientId')]);
  });
});

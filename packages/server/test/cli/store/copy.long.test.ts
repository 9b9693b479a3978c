// An installation as it is after a while moves to PostgreSQL: everything looks the same, and goes on there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FreshDatabase,
  freshPostgres,
  hasPostgres,
} from '../../helpers/databases/fresh-postgres.ts';
import { type Credentials, call, getToken } from '../../helpers/http/api.ts';
import { runBeside } from '../../helpers/run-beside.ts';
import {
  BIN,
  type CommandResult,
  environmentOf,
  NODE,
  type ServerProcess,
  startServerProcess,
} from '../../helpers/servers/server-process.ts';
import { until } from '../../helpers/until.ts';
import { runHere } from '../run-here.ts';
import { type Controller, useShop } from '../use-shop.ts';

const PATIENCE = 90_000;

describe.skipIf(!(await hasPostgres()))('unwrite store copy', { timeout: PATIENCE }, () => {
  const shop = useShop({ cancellation_window: '1h' }, 'sqlite', startServerProcess);
  const { json, submit, addRows, untilTasks } = shop;
  const ids: Record<string, [string, Controller]> = {};
  let credentials: Credentials;
  let receipt: string;
  let target: FreshDatabase;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    target = await freshPostgres();
    credentials = await shop.client('acme');
    await makeHistory();
    receipt = await readReceipt();
    // With all that is only in the write-ahead log.
    await shop.server().kill('SIGKILL');
  }, PATIENCE);
  afterAll(async () => {
    await server?.kill('SIGKILL');
    await target.close();
  });

  async function makeHistory(): Promise<void> {
    addRows('acme', 'anna@example.com', 2);
    addRows('acme', 'berta@example.com', 5);
    const made: [string, Controller, string, string[]][] = [
      ['completed', 'acme', 'anna@example.com', ['erased']],
      ['held', 'acme', 'berta@example.com', ['held']],
      ['manual', 'globex', 'carla@example.com', ['held', 'erased']],
      ['unreachable', 'umbrella', 'dora@example.com', ['waiting', 'erased']],
    ];
    for (const [name, controllerId, email, states] of made) {
      const id = await submit(controllerId, [['email', email]]);
      ids[name] = [id, controllerId];
      await json('request', 'start', id, '--controller', controllerId);
      await untilTasks(id, controllerId, ...states);
    }
    ids.pending = [await submit('acme', [['email', 'emma@example.com']]), 'acme'];
    ids.cancelled = [await submit('acme', [['email', 'frida@example.com']]), 'acme'];
    await shop.cancel('acme', ids.cancelled[0]);
    await json('pause', '--target', 'archive');
    await json('request', 'identify', ...at('manual'), '--customer-id', 'C-7');
    await json('signing-key', 'rotate');
    const isSealed = async () => (await json('audit', 'verify')).unsealed_rows === 0;
    await until(isSealed, () => 'not sealed');
  }

  function at(name: string): string[] {
    const [id = '', controllerId = ''] = ids[name] ?? [];
    return [id, '--controller', controllerId];
  }

  /** Exactly as a controller gets it. */
  async function readReceipt(): Promise<string> {
    const url = `http://127.0.0.1:${shop.options().port}/receipts/${ids.completed?.[0]}`;
    const token = await getToken(credentials);
    let answer = await call(url, { token });
    const isThere = async () => {
      answer = await call(url, { token });
      return answer.status === 200;
    };
    await until(isThere, () => answer.text);
    return answer.text;
  }

  const onPostgres = () => ({
    dataDir: join(shop.folder(), 'node'),
    port: shop.options().port,
    environment: { UNWRITE_STORE: target.url },
  });

  function copy(...args: string[]): Promise<CommandResult> {
    const environment = { UNWRITE_STORE: target.url };
    return runBeside(['store', 'copy', ...args], {
      ...shop.options(),
      environment,
      cwd: shop.folder(),
    });
  }

  /** What a command prints, without a process of its own. */
  async function there(...args: string[]): Promise<unknown> {
    const { dataDir, environment } = onPostgres();
    return parsed(
      await runHere(
        [
          ...args,
          '--json',
          '--config',
          `${shop.folder()}/unwrite.config.yaml`,
          '--data-dir',
          dataDir,
        ],
        { env: { ...process.env, UNWRITE_STORE: environment.UNWRITE_STORE } },
      ),
    );
  }

  const here = async (...args: string[]) => parsed(await shop.unwrite(...args, '--json'));

  it('is refused while the server runs, without a target, and never shows a password', async () => {
    await shop.serveAgain();
    expect(await copy()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/a server runs on .*stop it first/),
    });
    await shop.server().kill('SIGKILL');
    const wrong: [string[], RegExp][] = [
      [['--to', 'sqlite'], /the target of the copy is missing/],
      [['--to', 'postgres://olga@/x'], /--to must be/],
      [['--to', 'postgres://olga:pa55word@db/x'], /--to is not accepted with a password/],
      [
        ['--to', 'postgres://olga@db/x', '--to-schema', 'Üps'],
        /--to-schema must be a lower-case name/,
      ],
      [['--from', 'postgres://olga:pa55word@db/x'], /--from must be the folder/],
    ];
    for (const [args, message] of wrong) {
      const { exitCode, stderr } = await shop.unwrite('store', 'copy', ...args);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringMatching(message),
      });
      expect(stderr).not.toContain('pa55word');
    }
    const { exitCode, stderr } = await copy('--to', 'postgres://olga@127.0.0.1:1/x');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /cannot be reached at [\w.]+:\d+: ECONNREFUSED.*run the same command again to continue/,
      ),
    });
    expect(stderr).not.toContain('pa55word');
  });

  it('can be killed again and again, and nothing opens the target before it is done', async () => {
    mkdirSync(onPostgres().dataDir);
    copyFileSync(
      join(shop.options().dataDir, 'master.key'),
      join(onPostgres().dataDir, 'master.key'),
    );
    let kills = 0;
    for (const tables of [1, 4, 8, 12, 16]) {
      if (!(await killWith(tables))) break;
      kills++;
      await expect(there('controller', 'list')).rejects.toThrow(/unfinished copy of another/);
    }
    expect(kills).toBeGreaterThan(0);
  });

  /** As soon as so many tables have rows. Answers whether it was still running. */
  async function killWith(tables: number): Promise<boolean> {
    const env = environmentOf({ ...shop.options(), environment: { UNWRITE_STORE: target.url } });
    const child = spawn(NODE, [BIN, 'store', 'copy'], { env, stdio: 'ignore' });
    const exited = once(child, 'exit');
    const begun = 'SELECT count(*)::int AS n FROM unwrite.copied_tables WHERE rows > 0';
    while (child.exitCode === null) {
      const [row] = await target.query(begun).catch(() => []);
      if (Number(row?.n) >= tables) child.kill('SIGKILL');
      if (child.killed) break;
    }
    const [exitCode] = await exited;
    return exitCode === null;
  }

  it('says what it compared and what is left to do', async () => {
    const { exitCode, stdout, stderr } = await copy();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^requests +6 +6 +([0-9a-f]{16}) +\1 +equal$/m);
    expect(stdout).not.toContain('DIFFERS');
  });

  it('the copy gives the same answers to every command', async () => {
    const commands = [
      ['controller', 'list'],
      ['client', 'list'],
      ['signing-key', 'list'],
      ['keys', 'list'],
      ['request', 'list'],
      ['request', 'list', '--attention'],
      ...Object.keys(ids).map((name) => ['request', 'show', ...at(name)]),
      ['receipt', ...at('completed')],
      ['task', 'list'],
      ['manual', 'list'],
      ['alarms', 'list'],
      ['audit', 'list', '--limit', '1000'],
      ['audit', 'verify'],
      ['audit', 'key'],
    ];
    for (const args of commands) {
      expect({ args, answer: await there(...args) }).toEqual({
        args,
        answer: await here(...args),
      });
    }
    const [id] = ids.completed ?? [];
    const seen = await there('seen', '--controller', 'acme', '--email', 'anna@example.com');
    expect(JSON.stringify(seen)).toContain(id);
  });

  it('the copy continues: tokens, status and receipts are unchanged, and pending requests are erased', async () => {
    const flags = ['--config', `${shop.folder()}/unwrite.config.yaml`];
    server = await startServerProcess({ ...onPostgres(), flags });
    expect(await readReceipt()).toBe(receipt);
    const token = await getToken(credentials);
    const status = async (name: string) =>
      (await call(`${server?.url}/requests/${ids[name]?.[0]}`, { token })).body.request_status;
    expect(await status('cancelled')).toBe('cancelled');
    expect(await status('held')).toBe('in_progress');

    addRows('acme', 'emma@example.com', 1);
    await there('request', 'start', ...at('pending'));
    await there('task', 'release', '--all', '--target', 'shop');
    await expect.poll(() => status('pending'), { timeout: 20_000 }).toBe('completed');
    await expect.poll(() => status('held'), { timeout: 20_000 }).toBe('completed');
    expect(shop.rowsOf('acme', 'emma@example.com')).toBe(0);
    expect(shop.rowsOf('acme', 'berta@example.com')).toBe(0);
    expect(await there('audit', 'verify')).toMatchObject({ ok: true });
  });

  it('says later that nodes have used the copy, in JSON too', async () => {
    const { exitCode, stdout, stderr } = await copy('--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ ok: false, was_finished: true, copied_rows: 0 });
    expect((await copy()).stderr).toMatch(
      /the two differ in .*requests.* nodes have used the target/,
    );
  });
});

function parsed({ exitCode, stdout, stderr }: CommandResult): unknown {
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

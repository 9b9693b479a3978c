// Every command once against a store on PostgreSQL, beside a server. What each of them can do is tested with
// SQLite; `npm run test:long -- e2e --store postgres` tests all of that on PostgreSQL, too.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { startListener } from '../helpers/http/listener.ts';
import { type Controller, useShop } from './use-shop.ts';

/** `serve` runs beside all of this; copying into PostgreSQL has its own test; the others have no store. */
const ELSEWHERE = [
  'serve',
  'store copy',
  'store compact',
  // Needs a browser that has signed in; see test/contract/operators.test.ts.
  'operator session end',
  'config schema',
  'certificate create',
  'health',
  'target prepare',
  // On both stores in test/contract/backup.test.ts and test/cli/server/doctor.test.ts.
  'backup create',
  'backup verify',
  'backup restore',
  'doctor',
  // On one store in npm test and on the other in npm run test:long, in test/cli/request/deal.test.ts.
  'request create',
  'request cancel',
  'request extend',
  'settings',
  'target suggest',
  'version',
];
const PATIENCE = { timeout: 20_000, interval: 100 };
const OLGA = ['--as', 'olga'];

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  const deeper = command.commands.flatMap((sub) => leavesOf(sub, [...path, sub.name()]));
  // `receipt` and `migrate` do something themselves, and so do their subcommands.
  const isOwn = deeper.length === 0 || ['receipt', 'migrate'].includes(path.join(' '));
  return isOwn ? [path.join(' '), ...deeper] : deeper;
}

const PROGRAM = await createProgram();

describe.skipIf(!(await hasPostgres()))('the command line on PostgreSQL', () => {
  const shop = useShop({ cancellation_window: '1h' }, 'postgres');
  const leaves = leavesOf(PROGRAM);
  const walked = new Set<string>(ELSEWHERE);
  afterAll(() => expect(leaves.filter((leaf) => !walked.has(leaf))).toEqual([]));

  async function print(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await shop.unwrite(...args);
    expect([args.join(' '), exitCode, stderr]).toEqual([args.join(' '), 0, '']);
    const named = leaves.filter((leaf) => `${args.join(' ')} `.startsWith(`${leaf} `));
    walked.add(named.toSorted((a, b) => b.length - a.length)[0] ?? '');
    return stdout;
  }
  // biome-ignore lint/suspicious/noExplicitAny: output is looked into freely
  const json = async (...args: string[]): Promise<any> =>
    JSON.parse(await print(...args, '--json'));

  /** In the order of the targets' names. Answers the numbers of the tasks. */
  async function untilStates(
    id: string,
    controllerId: Controller,
    ...states: string[]
  ): Promise<string[]> {
    const tasks = await shop.untilTasks(id, controllerId, ...states);
    return tasks.map(({ task }) => String(task));
  }

  async function submitAndStart(controllerId: Controller, email?: string): Promise<string> {
    const id = await shop.submit(controllerId, email === undefined ? [] : [['email', email]]);
    await json('request', 'start', id, ...OLGA);
    return id;
  }

  it('shows the configuration and migrates the store', async () => {
    const { settings } = await json('config', 'show');
    expect(JSON.stringify(settings)).toContain('postgres');
    await print('config', 'check');
    expect(await json('config', 'reload')).toMatchObject({ answers: [{ ok: true, changed: [] }] });
    expect(await json('migrate', 'status')).toMatchObject({ waiting: [] });
    expect(await json('migrate', '--yes')).toEqual({ migrated: [] });
  });

  it('manages controllers and clients and prints tokens', async () => {
    await json('controller', 'create', 'initech', '--name', 'Initech');
    expect(await json('controller', 'list')).toHaveLength(4);
    await json('controller', 'update', 'initech', '--name', 'Initech Ltd');
    expect(await json('controller', 'show', 'initech')).toMatchObject({ name: 'Initech Ltd' });
    const { client_id } = await json('client', 'create', '--controller', 'initech');
    const { secret_id } = await json('client', 'secret', 'add', client_id);
    expect(await json('client', 'secret', 'list', client_id)).toHaveLength(2);
    await json('client', 'secret', 'revoke', client_id, secret_id);
    expect((await print('token', client_id)).split('.')).toHaveLength(3);
    await json('client', 'revoke', client_id);
    const clients = await json('client', 'list', '--controller', 'initech');
    expect(clients).toMatchObject([{ client_id, revoked_time: expect.any(String) }]);
  });

  it('signs operators in, and makes clients for their scripts', async () => {
    const { url } = await json('console', 'link', '--role', 'viewer', ...OLGA);
    expect(url).toContain('/operator/sign-in');
    const made = await json(
      'operator',
      'client',
      'create',
      '--role',
      'viewer',
      '--name',
      'nightly',
    );
    expect(await json('operator', 'client', 'list')).toMatchObject([{ name: 'nightly' }]);
    await json('operator', 'client', 'revoke', made.client_id);
    expect(await json('operator', 'session', 'list')).toEqual([]);
  });

  it('rotates signing keys and lists nodes', async () => {
    const { kid } = await json('signing-key', 'rotate');
    expect(await json('signing-key', 'list')).toContainEqual(expect.objectContaining({ kid }));
    expect(await json('node', 'list')).toMatchObject([{ role: 'all', is_alive: true }]);
  });

  it('runs request, task, manual, preview and target', async () => {
    shop.addRows('acme', 'many@example.com', 4);
    const [many, more] = [
      await submitAndStart('acme', 'many@example.com'),
      await submitAndStart('acme', 'many@example.com'),
    ];
    const [held = ''] = await untilStates(many, 'acme', 'held');
    await untilStates(more, 'acme', 'held');
    expect(await json('request', 'list', '--attention')).toHaveLength(2);
    expect(await json('task', 'list', '--state', 'held')).toHaveLength(2);
    const { targets } = await json('preview', '--request', many);
    expect(targets).toMatchObject([{ target: 'shop' }]);
    await json('task', 'retain', more, '--reason', 'tax', '--legal-basis', 'GDPR 17(3)(b)');
    await json('task', 'release', held, ...OLGA);
    await untilStates(many, 'acme', 'erased');
    expect(await json('request', 'list', '--status', 'completed')).toHaveLength(2);

    const paper = await submitAndStart('globex', 'jane@example.com');
    await untilStates(paper, 'globex', 'held', 'erased');
    expect(await json('manual', 'list')).toMatchObject([{ subject_request_id: paper }]);
    expect(await json('manual', 'show', paper)).toMatchObject({ subject_request_id: paper });
    await json('manual', 'confirm', paper, '--note', 'shredded', ...OLGA);
    expect(await json('request', 'show', paper)).toMatchObject({ request_status: 'completed' });

    const nobody = await submitAndStart('acme');
    await untilStates(nobody, 'acme', 'held');
    await json('request', 'identify', nobody, '--email', 'later@example.com', ...OLGA);
    await untilStates(nobody, 'acme', 'erased');

    const down = await submitAndStart('umbrella', 'jane@example.com');
    await untilStates(down, 'umbrella', 'waiting', 'erased');
    shop.makeDatabase('archive');
    await json('request', 'retry', down, ...OLGA);
    await untilStates(down, 'umbrella', 'erased', 'erased');
    expect(await json('target', 'list')).toHaveLength(3);
    await print('target', 'check', 'paper');
  });

  it('prints receipts and verifies the audit log', async () => {
    const [{ subject_request_id: id }] = await json('request', 'list', '--status', 'completed');
    const receipt = await print('receipt', id);
    const file = `${shop.folder()}/receipt.json`;
    writeFileSync(file, receipt);
    expect(await json('receipt', 'verify', file)).toMatchObject({ ok: true });
    await vi.waitFor(async () => {
      expect(await json('audit', 'verify')).toMatchObject({ ok: true, unsealed_rows: 0 });
    }, PATIENCE);
    expect(await json('audit', 'list', '--request', id, '--action', 'receipt.signed')).toHaveLength(
      1,
    );
    expect(await print('audit', 'key')).toContain('PUBLIC KEY');
    expect((await json('audit', 'rotate-key', ...OLGA)).key_id).toMatch(/^[0-9a-f]{64}$/);
    const exported = `${shop.folder()}/audit.jsonl`;
    writeFileSync(exported, await print('audit', 'export'));
    expect(await json('audit', 'verify', '--file', exported)).toMatchObject({ ok: true });
    const { head_no } = await json('audit', 'head');
    expect(await json('audit', 'head', '--from', '1', '--to', String(head_no))).toMatchObject({
      from: { head_no: 1 },
      to: { head_no },
    });
  });

  it('pauses and resumes erasing and lists alarms', async () => {
    await json('pause', '--target', 'shop', ...OLGA);
    await json('resume', '--target', 'shop', ...OLGA);
    expect(await json('alarms', 'list')).toEqual([]);
    const listener = await startListener();
    try {
      const file = `${shop.folder()}/alarms.yaml`;
      const settings = { alarms: { webhook: listener.url }, webhooks: { allow_private: true } };
      writeFileSync(file, JSON.stringify(settings));
      await print('alarms', 'test', '--config', file);
    } finally {
      await listener.close();
    }
  });

  it('erases again and finds earlier erasures', async () => {
    const since = ['erase-again', '--target', 'shop', '--since', '2020-01-01'];
    const asked = await json(...since, '--controller', 'acme', ...OLGA);
    expect(asked).toMatchObject({ runs: 3, shredded: 0 });
    const who = ['--controller', 'acme', '--email', 'many@example.com'];
    const { requests } = await json('seen', ...who);
    const statuses = requests.map((it: { request_status: string }) => it.request_status);
    expect([statuses.length, statuses]).toEqual([2, expect.arrayContaining(['completed'])]);
  });

  it('rotates master keys', async () => {
    expect(await json('keys', 'rotate', ...OLGA)).toMatchObject({ done: true });
    const [old] = await json('keys', 'list');
    expect(old).toMatchObject({ state: 'retired', sealed: 0 });
    await json('keys', 'destroy', old.master_key, '--force', ...OLGA);
    expect(await json('keys', 'list')).toHaveLength(2);
    await vi.waitFor(async () => {
      expect(await json('audit', 'verify')).toMatchObject({ ok: true });
    }, PATIENCE);
  });

  it('declares, reviews and confirms a restore', async () => {
    await json('restored', 'declare', ...OLGA);
    await json('restored', 'review', ...OLGA);
    await json('restored', 'confirm', '--yes', ...OLGA);
    expect((await shop.unwrite('restored', 'confirm', ...OLGA)).exitCode).not.toBe(0);
  });
});

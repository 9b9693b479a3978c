import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { INSTRUCTIONS, useShop } from '../use-shop.ts';

const { unwrite, json, inStore, submit, addRows, untilTask, untilTasks, audited } = useShop();
const ids = { paper: randomUUID(), nobody: randomUUID() };
const note = ['--note', 'Shredded on Friday'];
let paper: string;
let erased: string;
let nobody: string;

beforeAll(async () => {
  addRows('globex', 'jane@example.com', 1);
  const people: [string, string][] = [
    ['email', 'jane@example.com'],
    ['controller_customer_id', '42'],
  ];
  await submit('globex', people, ids.paper);
  await submit('acme', [], ids.nobody);
  nobody = await untilTask(ids.nobody, 'acme', 'held');
  const tasks = await untilTasks(ids.paper, 'globex', 'held', 'erased');
  [paper = '', erased = ''] = tasks.map(({ task }) => String(task));
  const longAgo = new Date(Date.now() - 20 * 86_400_000).toISOString();
  await inStore(
    `UPDATE requests SET submitted_time = '${longAgo}' WHERE subject_request_id = '${ids.nobody}'`,
  );
});

describe('unwrite manual list', () => {
  it('says who has to do what until when, nearest deadline first, by law too', async () => {
    const { stdout, stderr } = await unwrite('manual', 'list');
    const [header, second, first] = stdout.split('\n');
    expect(header).toMatch(
      /^TASK +DEADLINE +CONTROLLER_ID +SUBJECT_REQUEST_ID +TARGET +WHAT TO DO$/,
    );
    expect(first).toMatch(new RegExp(` globex +${ids.paper} +paper +${INSTRUCTIONS}$`));
    expect(second).toMatch(
      new RegExp(` acme +${ids.nobody} +manual +the request has no identities`),
    );
    expect(stderr).toBe('');
  });

  it('accepts a controller, a target and a limit, and prints JSON for scripts', async () => {
    const tasks = async (...flags: string[]) =>
      (await json('manual', 'list', ...flags)).map(({ task }: { task: number }) => String(task));
    expect(await tasks()).toEqual([nobody, paper]);
    expect(await tasks('--controller', 'globex')).toEqual([paper]);
    expect(await tasks('--target', 'manual')).toEqual([nobody]);
    expect(await tasks('--controller', 'umbrella')).toEqual([]);
    expect((await unwrite('manual', 'list', '--limit', '1')).stderr).toMatch(/may be more/);
  });

  it('says that there is no such controller or target', async () => {
    const controller = await unwrite('manual', 'list', '--controller', 'nobody');
    expect([controller.exitCode, controller.stderr]).toEqual([
      1,
      'unwrite: there is no controller nobody\n',
    ]);
    const target = await unwrite('manual', 'list', '--target', 'papper');
    expect(target.exitCode).toBe(1);
    expect(target.stderr).toMatch(/there is no target papper; there are: shop, paper, archive/);
  });
});

describe('unwrite manual show', () => {
  it('says what to do and whom it is about, without an identity', async () => {
    const { stdout } = await unwrite('manual', 'show', paper);
    expect(stdout).toMatch(new RegExp(`what to do +${INSTRUCTIONS}\n`));
    expect(stdout).toMatch(/^1 +email +j?•••@•••\.com +request$/m);
    expect(stdout).toMatch(/^2 +controller_customer_id +••• +request$/m);
    expect(stdout).not.toContain('jane');
  });

  it('prints one identity for a reason, which is in the audit log', async () => {
    const asked = ['manual', 'show', ids.paper, '--reason', 'to find the folder', '--as', 'olga'];
    const { stdout } = await unwrite(...asked, '--identity', '2');
    expect(stdout).toBe('controller_customer_id  42\n');
    expect(await json(...asked, '--identity', '1')).toEqual({
      identity_type: 'email',
      identity_value: 'jane@example.com',
    });
    const row = (number: number) => ({
      actor: 'operator:olga',
      detail: { identity: number, reason: 'to find the folder' },
    });
    expect(await audited(ids.paper, 'globex', 'identity.revealed')).toEqual([row(2), row(1)]);
  });

  it.each<[string, () => string[], number, RegExp]>([
    ['an identity without a reason', () => [paper, '--identity', '1'], 2, /go together/],
    ['an empty reason', () => [paper, '--identity', '1', '--reason', ' '], 2, /must not be empty/],
    [
      'an identity that it lacks',
      () => [paper, '--identity', '3', '--reason', 'x'],
      1,
      /no identity 3/,
    ],
    [
      'a task of the server',
      () => [erased, '--identity', '1', '--reason', 'x'],
      1,
      /no manual task that is open: it is erased/,
    ],
  ])('refuses %s', async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await unwrite('manual', 'show', ...args());
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([code, '']);
  });
});

describe('unwrite manual confirm', () => {
  it.each<[string, () => string[], number, RegExp]>([
    ['no note', () => [paper], 2, /required option '--note/],
    ['an empty note', () => [paper, '--note', '\n'], 2, /--note must not be empty/],
    ['a note that names the person', () => [paper, '--note', 'JANE@EXAMPLE.COM done'], 2, /names/],
    ['a short id on its own', () => [paper, '--note', 'Shredded no. 42.'], 2, /--note names the/],
    ['no task', () => note, 2, /missing required argument 'task'/],
    ['an unknown task', () => ['999', ...note], 1, /there is no task 999/],
    ['an unknown request', () => [randomUUID(), ...note], 1, /there is no request/],
    [
      "another controller's task",
      () => [paper, '--controller', 'acme', ...note],
      1,
      /there is no task \d+ of controller acme/,
    ],
    [
      'what the server does itself',
      () => [erased, ...note],
      1,
      /is not waiting for a person to do it \(it is erased\)/,
    ],
  ])('refuses %s', async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await unwrite('manual', 'confirm', ...args());
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr.toLowerCase()).not.toContain('jane');
  });

  it('ends the task in the name of the person, and the request with its last one', async () => {
    // 42 inside of another number is nobody's id.
    const confirm = ['manual', 'confirm', ids.paper, '--note', 'Shredded 1420 pages'];
    const { exitCode, stdout } = await unwrite(...confirm, '--as', 'olga');
    expect(stdout).toBe(`Confirmed task ${paper} (paper). Request ${ids.paper} is completed.\n`);
    expect(exitCode).toBe(0);
    const [task] = await json('task', 'list', '--request', ids.paper, '--target', 'paper');
    expect(task.evidence).toMatchObject({
      action: 'confirmed',
      verified: 'confirmed by a person',
      by: 'operator:olga',
      note: 'Shredded 1420 pages',
    });
    expect(await audited(ids.paper, 'globex', 'task.confirmed')).toMatchObject([
      { actor: 'operator:olga', detail: { target: 'paper' } },
    ]);
    const again = await unwrite(...confirm);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(/has no task that can be confirmed: /);
  });

  it('confirms a request without identities, by its number, and prints JSON for scripts', async () => {
    expect(await json('manual', 'confirm', nobody, ...note)).toEqual({
      confirmed: Number(nobody),
      request_status: 'completed',
    });
    expect((await unwrite('manual', 'list')).stdout).toBe('There are no tasks to do by hand.\n');
  });
});

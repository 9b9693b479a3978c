import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useShop } from '../use-shop.ts';

const shop = useShop();
const { unwrite, json, submit, addRows, rowsOf, untilTask, untilTasks, audited } = shop;
const shared = randomUUID();
let acme: string;
let paper: string;

/** Somebody with five rows: more than the shop allows without a person's word. */
async function held(controllerId: 'acme' | 'globex', email: string, id: string = randomUUID()) {
  addRows(controllerId, email, 5);
  await submit(controllerId, [['email', email]], id);
  return id;
}

beforeAll(async () => {
  await held('acme', 'one@example.com', shared);
  await held('globex', 'one@example.com', shared);
  acme = await untilTask(shared, 'acme', 'held');
  const [first] = await untilTasks(shared, 'globex', 'held', 'held');
  paper = String(first?.task);
});

describe('unwrite task release', () => {
  it.each<[string, () => string[], number, RegExp]>([
    ['no task', () => [], 2, /name a task, or give --all with --target/],
    ['--all without a target', () => ['--all'], 2, /--all needs --target, and no task/],
    ['--all with a task', () => [acme, '--all', '--target', 'shop'], 2, /and no task/],
    ['a reason without --all', () => [acme, '--reason', 'over_cap'], 2, /goes with --all/],
    [
      'a reason that is none',
      () => ['--all', '--target', 'shop', '--reason', 'overcap'],
      2,
      /Allowed choices are over_cap/,
    ],
    ['an empty name', () => [acme, '--as', ''], 2, /1 to 100 characters/],
    ['a name that steers the terminal', () => [acme, '--as', 'o\u001b[2J'], 2, /no control/],
    ['an unknown option', () => [acme, '--al'], 2, /unknown option '--al'.*--all/s],
    ['an unknown number', () => ['999'], 1, /there is no task 999; "unwrite task list" shows/],
    ['an unknown request', () => [randomUUID()], 1, /there is no request/],
    [
      "another controller's task",
      () => [acme, '--controller', 'globex'],
      1,
      /there is no task \d+ of controller globex/,
    ],
    ['a task of another target', () => [acme, '--target', 'paper'], 1, /at target paper/],
    ['an id of two controllers', () => [shared], 1, /\(acme, globex\); add --controller/],
    [
      'a target that the request has no task at',
      () => [shared, '--controller', 'acme', '--target', 'paper'],
      1,
      /has no task at target paper; it has: \d+ \(shop, held: over_cap\)/,
    ],
    ['what a person has to do', () => [paper], 1, /is for a person to do: confirm it, or retain/],
    [
      'a misspelt target',
      () => ['--all', '--target', 'shpo'],
      1,
      /there is no target shpo; there are: shop, paper, archive/,
    ],
    [
      'an unknown controller',
      () => ['--all', '--target', 'shop', '--controller', 'nobody'],
      1,
      /there is no controller nobody/,
    ],
  ])('refuses %s', async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await unwrite('task', 'release', ...args());
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(rowsOf('acme', 'one@example.com')).toBe(5);
  });

  it('releases a task named by its request id, in any case, and it erases', async () => {
    const args = [
      'task',
      'release',
      shared.toUpperCase(),
      '--controller',
      'globex',
      '--as',
      'olga',
    ];
    const { exitCode, stdout } = await unwrite(...args);
    expect(stdout).toMatch(/^Released task \d+ \(shop\)\. It erases at most 5 rows\.\n$/);
    expect(exitCode).toBe(0);
    await untilTasks(shared, 'globex', 'held', 'erased');
    expect([rowsOf('globex', 'one@example.com'), rowsOf('acme', 'one@example.com')]).toEqual([
      0, 5,
    ]);
    expect(await audited(shared, 'globex', 'task.released')).toEqual([
      {
        actor: 'operator:olga',
        detail: { target: 'shop', task: expect.any(Number), reason: 'over_cap', rows: 5 },
      },
    ]);
    const again = await unwrite(...args);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toMatch(
      /has no task that can be released: \d+ \(shop, erased\), \d+ \(paper, held: manual\)/,
    );
  });

  it('releases a task named by its number, once', async () => {
    expect(await json('task', 'release', acme)).toEqual({ released: [Number(acme)] });
    await untilTask(shared, 'acme', 'erased');
    const again = await unwrite('task', 'release', acme);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      `unwrite: task ${acme} is erased; only held tasks can be released\n`,
    ]);
  });
});

describe('unwrite task release --all', () => {
  it("releases one controller's tasks and leaves the others'", async () => {
    const mine = [await held('acme', 'a@example.com'), await held('acme', 'b@example.com')];
    const other = await held('globex', 'a@example.com');
    for (const id of mine) await untilTask(id, 'acme', 'held');
    await untilTasks(other, 'globex', 'held', 'held');

    const all = ['task', 'release', '--all', '--target', 'shop', '--as', 'olga'];
    const wrong = await unwrite(...all, '--controller', 'acme', '--reason', 'preview_mode');
    expect(wrong.stdout).toBe('Released 0 tasks of shop.\n');
    const acme = [...all, '--controller', 'acme', '--reason', 'over_cap'];
    const { stdout: size } = await unwrite(...acme, '--dry-run');
    expect(size).toBe(
      'It would release 2 tasks of 2 people, at most 10 rows at shop:\n  acme, over_cap: 2 tasks of 2 people, at most 10 rows\n',
    );
    expect(await json(...all, '--dry-run')).toMatchObject({
      tasks: 3,
      rows: 15,
      groups: [{ controller_id: 'acme' }, { controller_id: 'globex' }],
    });
    const changed = await unwrite(...acme, '--expect-rows', '9');
    expect([changed.exitCode, changed.stderr]).toEqual([
      1,
      expect.stringContaining('nothing was released: it would be 2 tasks with 10 rows now'),
    ]);
    const { released, left } = await json(...acme, '--expect-rows', '10');
    expect([released.length, left]).toEqual([2, []]);
    for (const id of mine) {
      await untilTask(id, 'acme', 'erased');
      expect(await audited(id, 'acme', 'task.released')).toMatchObject([
        { actor: 'operator:olga' },
      ]);
    }
    expect(rowsOf('globex', 'a@example.com')).toBe(5);
    expect((await unwrite(...all)).stdout).toBe('Released 1 task of shop.\n');
    await untilTasks(other, 'globex', 'held', 'erased');
  });

  it('may be asked for by two operators at once: each task is released once', async () => {
    const emails = Array.from({ length: 8 }, (_, index) => `both${index}@example.com`);
    const mine = await Promise.all(emails.map((email) => held('acme', email)));
    for (const id of mine) await untilTask(id, 'acme', 'held');
    const all = ['task', 'release', '--all', '--target', 'shop', '--controller', 'acme'];
    const both = await Promise.all([json(...all), json(...all)]);
    const released = both.flatMap((it) => it.released as number[]);
    expect([released.length, new Set(released).size]).toEqual([8, 8]);
  });

  it('leaves what an operator has to do, and says so', async () => {
    const { exitCode, stdout } = await unwrite('task', 'release', '--all', '--target', 'paper');
    expect(stdout).toBe(
      'Released 0 tasks of paper.\n2 held tasks cannot be released; "unwrite task list --target paper --state held" says why.\n',
    );
    expect(exitCode).toBe(0);
  });
});

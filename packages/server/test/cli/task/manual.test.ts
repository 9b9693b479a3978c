import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { INSTRUCTIONS, useShop } from '../use-shop.ts';

const { unwrite, json, submit, addRows, untilTask, untilTasks, audited } = useShop();
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
});

describe('unwrite manual list', () => {
  it('says who has to do what until when', async () => {
    const { stdout, stderr } = await unwrite('manual', 'list');
    const [header, first, second] = stdout.split('\n');
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
    expect(await tasks()).toEqual([paper, nobody]);
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

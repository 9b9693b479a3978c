import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { INSTRUCTIONS, useShop } from '../use-shop.ts';

const shop = useShop();
const { unwrite, json, submit, addRows, rowsOf, untilTask, untilTasks } = shop;
const ids = { small: randomUUID(), many: randomUUID(), both: randomUUID() };
let many: string;

beforeAll(async () => {
  addRows('acme', 'jane@example.com', 2);
  addRows('acme', 'Many@Example.com', 4);
  await submit('acme', [['email', 'jane@example.com']], ids.small);
  const people: [string, string][] = [
    ['email', 'many@example.com'],
    ['controller_customer_id', 'e'],
  ];
  await submit('acme', people, ids.many);
  await submit('globex', [['email', 'nobody@example.com']], ids.both);
  await untilTask(ids.small, 'acme', 'erased');
  many = await untilTask(ids.many, 'acme', 'held');
  await untilTasks(ids.both, 'globex', 'held', 'erased');
});

async function listed(...flags: string[]): Promise<string[]> {
  const tasks: { subject_request_id: string; target: string }[] = await json(
    'task',
    'list',
    ...flags,
  );
  const names = new Map<string, string>(Object.entries(ids).map(([name, id]) => [id, name]));
  return tasks.map((it) => `${names.get(it.subject_request_id)} ${it.target}`);
}

describe('unwrite task list', () => {
  it('lists tasks, oldest request first, of a controller, request, target or state', async () => {
    expect(await listed()).toEqual(['small shop', 'many shop', 'both shop', 'both paper']);
    expect(await listed('--controller', 'globex')).toEqual(['both shop', 'both paper']);
    expect(await listed('--request', ids.many.toUpperCase())).toEqual(['many shop']);
    expect(await listed('--target', 'paper')).toEqual(['both paper']);
    expect(await listed('--state', 'held', '--controller', 'acme')).toEqual(['many shop']);
  });

  it('prints a table for people, and says on standard error that there may be more', async () => {
    const { stdout, stderr } = await unwrite('task', 'list', '--limit', '4');
    const [header, small, held, , paper, end] = stdout.split('\n');
    expect(header).toMatch(
      /^TASK +CONTROLLER_ID +SUBJECT_REQUEST_ID +TARGET +STATE +ROWS +NEXT TR/,
    );
    expect(small).toMatch(/ shop +erased +2 +- +erased, requeried$/);
    expect(held).toMatch(/ shop +held +4 +- +over_cap: 4 rows match/);
    expect(paper).toMatch(new RegExp(` paper +held +- +- +manual: ${INSTRUCTIONS}$`));
    expect(end).toBe('');
    expect(stderr).toBe('There may be more; --limit shows more than 4.\n');
  });

  it('prints for scripts what a task is and what it did', async () => {
    const [task] = await json('task', 'list', '--request', ids.small);
    expect(task).toMatchObject({
      controller_id: 'acme',
      subject_request_id: ids.small,
      target: 'shop',
      connector: 'sqlite',
      run: 1,
      state: 'erased',
      attempts: 1,
      next_try: null,
      reason: null,
      evidence: {
        action: 'erased',
        tables: { customers: { action: 'delete', rows: 2 } },
        verified: 'requeried',
      },
    });
    expect(JSON.stringify(task)).not.toContain('jane');
  });

  it('says in a sentence that there are no tasks, and prints an empty list for scripts', async () => {
    const none = ['task', 'list', '--state', 'failed'];
    expect(await unwrite(...none)).toEqual({
      exitCode: 0,
      stdout: 'There are no such tasks.\n',
      stderr: '',
    });
    expect((await unwrite(...none, '--json')).stdout).toBe('[]\n');
  });

  it.each<[string, string[], number, RegExp]>([
    ['controller', ['--controller', 'acne'], 1, /there is no controller acne/],
    ['request', ['--request', 'x'], 1, /there is no request x$/m],
    [
      'request of another controller',
      ['--request', ids.many, '--controller', 'globex'],
      1,
      /there is no request .* of controller globex/,
    ],
    ['target', ['--target', 'shpo'], 1, /there is no target shpo; there are: shop, paper, archive/],
    ['state', ['--state', 'stuck'], 2, /Allowed choices are waiting, running, erased/],
    ['limit', ['--limit', '-1'], 2, /1 to 999999/],
  ])('says that there is no such %s', async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await unwrite('task', 'list', ...args);
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([code, '']);
  });
});

describe('unwrite task retain', () => {
  const why = ['--reason', 'Open lawsuit', '--legal-basis', 'GDPR 17(3)(e)'];

  it.each<[string, () => string[], number, RegExp]>([
    ['no reason', () => [many, '--legal-basis', 'x'], 2, /required option '--reason/],
    ['no legal basis', () => [many, '--reason', 'x'], 2, /required option '--legal-basis/],
    ['an empty reason', () => [many, ...why, '--reason', ' '], 2, /--reason must not be empty/],
    [
      'a legal basis without end',
      () => [many, ...why, '--legal-basis', 'x'.repeat(2001)],
      2,
      /--legal-basis must have at most 2000 characters/,
    ],
    [
      'a reason that names the person',
      () => [many, ...why, '--reason', 'MANY@example.COM sues us'],
      2,
      /--reason names the person; evidence and receipts must not/,
    ],
    [
      'a short identity on its own',
      () => [many, ...why, '--reason', 'Customer "E" sues us'],
      2,
      /--reason names the person/,
    ],
    [
      'an operator who is the person',
      () => [many, ...why, '--as', 'many@example.com'],
      2,
      /--as names the person/,
    ],
    ['an unknown task', () => ['999', ...why], 1, /there is no task 999/],
    [
      'what is erased',
      () => [ids.small, ...why],
      1,
      /is erased; only held or failed or waiting tasks can be retained/,
    ],
  ])('refuses %s', async (_, args, code, message) => {
    const { exitCode, stdout, stderr } = await unwrite('task', 'retain', ...args());
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr.toLowerCase()).not.toContain('many@');
  });

  it('keeps the rows, and says in the evidence who kept them and why', async () => {
    const { exitCode, stdout, stderr } = await unwrite(
      'task',
      'retain',
      ids.many.toUpperCase(),
      ...why,
      '--as',
      'olga',
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `Retained: task ${many} (shop), GDPR 17(3)(e). Request ${ids.many} is completed.\n`,
    );
    expect(rowsOf('acme', 'Many@Example.com')).toBe(4);
    const [{ state, evidence }] = await json('task', 'list', '--request', ids.many);
    expect([state, evidence]).toMatchObject([
      'erased',
      {
        action: 'retained',
        verified: 'not applicable',
        by: 'operator:olga',
        note: 'Open lawsuit',
        legal_basis: 'GDPR 17(3)(e)',
      },
    ]);
    expect(await shop.audited(ids.many, 'acme', 'task.retained')).toMatchObject([
      { actor: 'operator:olga', detail: { target: 'shop', legal_basis: 'GDPR 17(3)(e)' } },
    ]);
  });

  it('retains a manual task, and prints JSON for scripts', async () => {
    const [paper] = await untilTasks(ids.both, 'globex', 'held', 'erased');
    expect(await json('task', 'retain', ids.both, '--target', 'paper', ...why)).toEqual({
      retained: paper?.task,
      request_status: 'completed',
    });
  });
});

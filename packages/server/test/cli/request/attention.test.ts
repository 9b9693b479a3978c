import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { INSTRUCTIONS, useShop } from '../use-shop.ts';

const { unwrite, json, inStore, submit, addRows, ...shop } = useShop();
const ids = { late: randomUUID(), held: randomUUID(), paper: randomUUID(), down: randomUUID() };
const DAY = 86_400_000;

beforeAll(async () => {
  expect((await unwrite('request', 'list', '--attention')).stdout).toBe(
    'Nothing needs attention.\n',
  );
  addRows('acme', 'many@example.com', 4);
  addRows('acme', 'late@example.com', 4);
  await submit('acme', [['email', 'many@example.com']], ids.held);
  await submit('globex', [['email', 'jane@example.com']], ids.paper);
  await submit('umbrella', [['email', 'jane@example.com']], ids.down);
  await submit('acme', [['email', 'late@example.com']], ids.late);
  await shop.untilTask(ids.held, 'acme', 'held');
  await shop.untilTask(ids.late, 'acme', 'held');
  await shop.untilTasks(ids.paper, 'globex', 'held', 'erased');
  await shop.untilTasks(ids.down, 'umbrella', 'waiting', 'erased');
  await inStore(
    `UPDATE requests SET received_time = received_time - ${40 * DAY}
     WHERE subject_request_id = '${ids.late}'`,
  );
  const longAgo = new Date(Date.now() - 20 * DAY).toISOString();
  await inStore(
    `UPDATE requests SET submitted_time = '${longAgo}' WHERE subject_request_id = '${ids.down}'`,
  );
});

interface Line {
  readonly subject_request_id: string;
}
async function listed(...flags: string[]): Promise<string[]> {
  const lines: Line[] = await json('request', 'list', '--attention', ...flags);
  return lines.map((line) => line.subject_request_id);
}

describe('unwrite request list --attention', () => {
  it('lists what is stuck, nearest deadline first, also where the law is sooner, with the reason', async () => {
    const { exitCode, stdout, stderr } = await unwrite('request', 'list', '--attention');
    const [header, ...lines] = stdout.trimEnd().split('\n');
    expect(header).toMatch(
      /^DEADLINE +CONTROLLER_ID +SUBJECT_REQUEST_ID +TARGET +STATE +REASON +WHAT$/,
    );
    const rest = [
      `acme +${ids.late} +shop +held +over_cap +4 rows match, and max_rows_per_subject is 3; .*release.*`,
      `umbrella +${ids.down} +archive +waiting +\\w+ +.+`,
      `acme +${ids.held} +shop +held +over_cap +4 rows match, and max_rows_per_subject is 3; .*release.*`,
      `globex +${ids.paper} +paper +held +manual +${INSTRUCTIONS}`,
    ];
    expect(lines).toEqual(rest.map((line) => expect.stringMatching(new RegExp(` ${line}$`))));
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).not.toMatch(/jane|many@|late@/);
  });

  it('prints JSON for scripts', async () => {
    const [line] = await json('request', 'list', '--attention', '--limit', '1');
    expect(line).toEqual({
      controller_id: 'acme',
      subject_request_id: ids.late,
      deadline: expect.stringMatching(/^\d{4}-.*Z$/),
      target: 'shop',
      state: 'held',
      reason: 'over_cap',
      detail: expect.stringMatching(/^4 rows match, and max_rows_per_subject is 3; .*release/),
    });
    expect(Date.parse(line.deadline)).toBeLessThan(Date.now());
  });

  it('takes a controller and a limit, and says when there may be more', async () => {
    expect(await listed('--controller', 'globex')).toEqual([ids.paper]);
    expect(await listed('--limit', '2')).toEqual([ids.late, ids.held]);
    const { stderr } = await unwrite('request', 'list', '--attention', '--limit', '4');
    expect(stderr).toBe('There may be more; --limit shows more than 4.\n');
  });

  it.each([[['--status', 'pending']], [['--older-than', '1d']], [['--newer-than', '1d']]])(
    'refuses %j, which it would otherwise ignore',
    async (flags) => {
      const { exitCode, stderr } = await unwrite('request', 'list', '--attention', ...flags);
      expect([exitCode, stderr]).toEqual([
        2,
        'unwrite: --attention goes with --controller and --limit only\n',
      ]);
    },
  );

  it('says that there is no such controller', async () => {
    const args = ['request', 'list', '--attention', '--controller', 'x', '--json'];
    const { exitCode, stderr } = await unwrite(...args);
    expect([exitCode, stderr]).toEqual([1, '{"error":{"message":"there is no controller x"}}\n']);
  });

  it('has nothing more of a request that is decided', async () => {
    await json('task', 'release', ids.held);
    await shop.untilTask(ids.held, 'acme', 'erased');
    expect(await listed('--controller', 'acme')).toEqual([ids.late]);
  });
});

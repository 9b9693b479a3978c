// A log that someone else wrote to: nothing is erased until an operator has looked, and then everything goes on.
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { useShop } from '../use-shop.ts';

/** PostgreSQL gives no number to a row of somebody else; both stores are in test/contract. */
const { unwrite, submit, addRows, rowsOf, untilTasks, inStore } = useShop(
  { cancellation_window: '1h' },
  'sqlite',
);
const PATIENCE = { timeout: 30_000, interval: 200 };
const OLGA = ['--as', 'olga'];
const JANE = 'jane@example.com';

async function json(...args: string[]) {
  const { exitCode, stdout, stderr } = await unwrite(...args, '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

it('a missing row pauses erasing until an operator accepts it', async () => {
  await inStore(
    "INSERT INTO audit_rows (audit_no, time, actor, action) VALUES (5000000, 1, 'eve', 'task.erased')",
  );
  await vi.waitFor(async () => {
    const kinds = (await json('alarms', 'list')).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain('audit_tampered');
  }, PATIENCE);
  const paused = (await json('audit', 'list', '--action', 'erasing.paused'))[0];
  expect(paused).toMatchObject({ actor: 'system:audit-log', detail: { target: '*' } });
  const id = randomUUID();
  addRows('acme', JANE, 2);
  await submit('acme', [['email', JANE]], id);
  await unwrite('request', 'start', id, ...OLGA);
  expect((await unwrite('target', 'list')).stdout).toContain('unwrite audit accept');
  const resumed = await unwrite('resume', ...OLGA);
  expect([resumed.exitCode, resumed.stderr]).toEqual([
    1,
    expect.stringContaining('unwrite audit accept'),
  ]);
  expect((await unwrite('audit', 'verify')).exitCode).toBe(1);
  expect(rowsOf('acme', JANE)).toBe(2);

  const withoutReason = await unwrite('audit', 'accept', ...OLGA);
  expect([withoutReason.exitCode, withoutReason.stderr]).toEqual([
    2,
    expect.stringContaining('--reason'),
  ]);
  const accepted = await json('audit', 'accept', '--reason', 'Eve tried something', ...OLGA);
  expect(accepted.deleted_rows).toMatchObject([{ audit_no: 5_000_000, actor: 'eve' }]);
  await untilTasks(id, 'acme', 'erased');
  expect(rowsOf('acme', JANE)).toBe(0);
  await vi.waitFor(async () => expect((await unwrite('receipt', id)).exitCode).toBe(0), PATIENCE);
  await vi.waitFor(async () => {
    const verdict = await json('audit', 'verify');
    expect(verdict).toMatchObject({ ok: true, unsealed_rows: 0 });
    expect(verdict.accepted).toHaveLength(1);
  }, PATIENCE);
  const again = await unwrite('audit', 'accept', '--reason', 'again', ...OLGA);
  expect([again.exitCode, again.stderr]).toEqual([
    1,
    expect.stringContaining('there is nothing to accept'),
  ]);
});

it('a row that is not ours stops the request that it names, and no other', async () => {
  const [named, other] = [randomUUID(), randomUUID()];
  addRows('acme', 'named@example.com', 1);
  addRows('acme', 'other@example.com', 1);
  await submit('acme', [['email', 'named@example.com']], named);
  await inStore(
    `INSERT INTO audit_rows (time, actor, action, controller_id, subject_request_id, request_no)
     SELECT 1, 'eve', 'some.action', 'acme', subject_request_id, request_no FROM requests
     WHERE subject_request_id = '${named}'`,
  );
  await submit('acme', [['email', 'other@example.com']], other);
  await unwrite('request', 'start', named, ...OLGA);
  await unwrite('request', 'start', other, ...OLGA);
  await unwrite('request', 'start', other, ...OLGA);
  await untilTasks(other, 'acme', 'erased');
  await vi.waitFor(
    async () => expect((await unwrite('receipt', other)).exitCode).toBe(0),
    PATIENCE,
  );
  expect(rowsOf('acme', 'named@example.com')).toBe(1);
  const { deleted_rows } = await json('audit', 'accept', '--reason', 'Eve again', ...OLGA);
  expect(deleted_rows).toMatchObject([{ actor: 'eve', subject_request_id: named }]);
  expect((await unwrite('audit', 'verify')).exitCode).toBe(0);
});

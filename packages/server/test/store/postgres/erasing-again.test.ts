import { describe, expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { Sql, Transaction } from '../../../src/store/postgres/database.ts';
import { forgetRequests } from '../../../src/store/shared/forgetting/forget-requests.ts';
import { shredIdentities } from '../../../src/store/shared/forgetting/shred-identities.ts';
import { recordOutcomes } from '../../../src/store/shared/tasks/record-outcomes.ts';
import {
  BY,
  DAY,
  erasedOutcome,
  planned,
  plannedHeld,
  START,
} from '../../contract/fulfilment/under-test.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { usePostgres } from './use-postgres.ts';

const AT_SHOP = { target: 'shop', since: START, until: START + DAY, controllers: null };

describe.skipIf(!(await hasPostgres()))('erasing again beside other nodes', () => {
  const use = usePostgres();

  async function completed(): Promise<RequestKey> {
    const { scene } = use();
    const request = await scene.started([planned('shop')]);
    await scene.work('shop', erasedOutcome);
    return request;
  }

  const again = () => {
    const { under, clock } = use();
    const by = { actor: BY.actor, now: clock.now };
    return under.forgettingOperator.eraseAgain(AT_SHOP, planned('shop'), by);
  };

  const archive = (sql: Sql) =>
    sql.run(
      `WITH moved AS (DELETE FROM @requests WHERE status = 'completed' RETURNING *)
       INSERT INTO @archived_requests SELECT * FROM moved`,
    );

  it.each([
    ['shredded', (sql: Sql) => shredIdentities(sql, START + DAY, 10, START)],
    ['forgotten', (sql: Sql) => forgetRequests(sql, START + DAY, 10)],
    ['archived', archive],
  ])('leaves alone what is being %s at the same time', async (_, one) => {
    const { whileOpen, count, scene } = use();
    const request = await completed();
    await scene.create();
    expect(await whileOpen(one, again)).toBe(0);
    expect(await count('@tasks WHERE run > 1')).toBe(0);
    expect(await count('@all_requests WHERE again_asked_time IS NOT NULL')).toBe(0);
    expect(['completed', undefined]).toContain(await scene.statusOf(request));
  });

  it('keeps what it has taken from being shredded or forgotten', async () => {
    const { under, scene, count } = use();
    const request = await completed();
    await scene.create();
    const { eraseAgain } = await import('../../../src/store/shared/forgetting/erase-again.ts');
    await under.database.transaction(async (sql) => {
      const inside = {
        ...under.database,
        ...sql,
        transaction: <T>(it: (s: Transaction) => T) => it(sql),
      };
      const asked = eraseAgain(inside as typeof under.database, AT_SHOP, planned('shop'), BY);
      expect(await asked).toBe(1);
      const beside = under.secondDatabase;
      expect(await beside.transaction((it) => shredIdentities(it, START + DAY, 9, START))).toBe(0);
      expect(await beside.transaction((it) => forgetRequests(it, START + DAY, 9))).toBe(0);
    });
    expect(await under.forgetting.shred(START + DAY, 10, START)).toBe(0);
    expect(await under.forgetting.forget(START + DAY, 10)).toBe(0);
    expect(await under.tasks.sealedIdentities(request)).toHaveLength(1);
    expect(await count('@tasks WHERE run = 2')).toBe(1);
  });

  it('gives each request one run if two operators ask at once', async () => {
    const { count } = use();
    for (let n = 0; n < 30; n++) await completed();
    const runs = await Promise.all([again(), again(), again()]);
    expect(runs.reduce((sum, one) => sum + one)).toBe(30);
    expect(await count('@tasks WHERE run = 2')).toBe(30);
    expect(await count(`@new_audit_rows WHERE action = 'request.erase_again_asked'`)).toBe(30);
  });

  it('finds a request completed, or prevents its completion, if its last task ends at the same time', async () => {
    const { under, scene, clock, whileOpen } = use();
    const request = await scene.started([planned('shop'), plannedHeld('paper'), planned('crm')]);
    await scene.work('shop', erasedOutcome);
    const { taskNo } = await scene.task(request, 'paper');
    await under.operator.confirm(taskNo, 'done', { actor: BY.actor, now: clock.now });
    const batch = await scene.lease('crm');
    const outcomes = batch.tasks.map((task) => erasedOutcome(task.taskNo));
    const runs = await whileOpen(
      (sql) => recordOutcomes(sql, batch, outcomes, [], clock.now),
      again,
    );
    expect(runs).toBe(1);
    expect(await scene.statusOf(request)).toBe('completed');
    expect(await under.forgetting.anyToShred(START + DAY)).toBe(false);
    await scene.work('shop', erasedOutcome);
    expect((await under.audit(request)).at(-1)?.action).toBe('request.erased_again');
    expect(await under.forgetting.anyToShred(START + DAY)).toBe(true);
  });
});

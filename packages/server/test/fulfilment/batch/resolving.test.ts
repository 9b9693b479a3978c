import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { Resolution } from '../../../src/domain/target/connector.ts';
import { planned } from '../../contract/fulfilment/under-test.ts';
import { aRow, aTarget, type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';
const OLD = 'jane.old@example.com';

describe('a target that resolves', () => {
  let world: BatchWorld;
  let request: NewRequest;
  beforeEach(async () => {
    world = await openBatchWorld([aTarget(), aTarget({ name: 'mail' })]);
    request = await world.scene.create({ identities: [new Identity('email', JANE)] });
    await world.scene.start(request, [planned('crm', 'resolve'), planned('mail')]);
  });
  afterEach(() => world.close());

  const answers = (...answer: Resolution[]) => {
    world.connector.tricks.resolve = async () => answer;
  };
  const task = (target: string) => world.scene.task(request, target);

  it('gives every target the identities it found', async () => {
    answers({ outcome: 'resolved', identities: [new Identity('email', OLD)] });
    world.connector.rows = [aRow(JANE), aRow(OLD)];
    await world.run('crm');
    await world.run('mail');
    expect(world.connector.rows).toEqual([]);
    await world.run('crm');
    expect(await world.scene.statusOf(request)).toBe('completed');
  });

  it.each([
    ['blanks around it', ' jane@example.com '],
    ['a control character', 'jane\u0000@example.com'],
    ['more characters than can be submitted', `${'j'.repeat(2000)}@example.com`],
    ['half of a surrogate pair', 'jane\ud800@example.com'],
  ])('hands a value on as it is stored, which could not be submitted: %s', async (_, value) => {
    answers({ outcome: 'resolved', identities: [new Identity('email', value)] });
    world.connector.rows = [aRow(JANE), aRow(value)];
    await world.run('crm');
    await world.run('mail');
    expect(world.connector.rows).toEqual([]);
    expect((await task('mail')).evidence).toMatchObject({ tables: { [TABLE]: { rows: 2 } } });
  });

  it('may find no other identity', async () => {
    answers({ outcome: 'resolved', identities: [] });
    await world.run('crm');
    expect((await task('mail')).dueTime).toBe(world.clock.now);
    expect(await world.under.tasks.sealedIdentities(request)).toHaveLength(1);
  });

  it.each([
    [
      'held',
      { outcome: 'held', reason: 'too_many_resolved', detail: 'nine of them' },
      'too_many_resolved',
    ],
    ['failed', { outcome: 'failed', code: 'lock_timeout', detail: 'locked' }, 'lock_timeout'],
    ['without an answer', undefined, 'no_outcome'],
  ] as const)('keeps the others waiting while it is %s', async (_, answer, reason) => {
    answers(...(answer === undefined ? [] : [answer]));
    await world.run('crm');
    expect(await task('crm')).toMatchObject({ phase: 'resolve', reason });
    expect(await task('mail')).toMatchObject({ state: 'waiting', dueTime: null });
    if (reason !== 'too_many_resolved') {
      expect((await task('crm')).dueTime).toBe(world.clock.now + FIRST_RETRY_MS);
    }
  });

  it('a target that is no longer configured to look up lets the others continue after an operator releases it', async () => {
    const { resolve, ...without } = world.connector;
    expect(resolve).toBeDefined();
    const run = world.createRun(world.under.store, async () => without);
    const reasons: (string | null)[] = [];
    for (let tries = 0; tries < 4; tries++) {
      world.clock.now += 10 * FIRST_RETRY_MS;
      await run(await world.scene.lease('crm'), aTarget());
      reasons.push((await task('crm')).reason);
    }
    expect(reasons).toEqual(['no_lookup', 'no_lookup', 'no_lookup', 'lookup_removed']);
    const { taskNo } = await task('crm');
    await world.under.operator.release(taskNo, { actor: 'operator:o', now: world.clock.now });
    await run(await world.scene.lease('crm'), aTarget());
    expect(await task('crm')).toMatchObject({ phase: 'erase', dueTime: world.clock.now });
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Preview, TargetDown, type Verdict } from '../../../src/domain/target/connector.ts';
import { GLOBEX } from '../../contract/fulfilment/under-test.ts';
import { aRow, type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';
const JOE = 'joe@example.com';

describe('the outcome of a task', () => {
  let world: BatchWorld;
  const taskOf = (request: Parameters<BatchWorld['evidenceOf']>[0]) =>
    world.scene.task(request, 'crm');
  beforeEach(async () => {
    world = await openBatchWorld();
  });
  afterEach(() => world.close());

  it('a task that erased and searched again has evidence of both, and of what is retained', async () => {
    world.connector.rows = [aRow(JANE), aRow(JANE), aRow(JOE)];
    world.connector.invoices = [aRow(JANE)];
    const request = await world.erasureOf([JANE]);
    await world.run();
    expect(world.connector.rows).toMatchObject([{ email: JOE }]);
    const now = new Date(world.clock.now).toISOString();
    expect(await world.evidenceOf(request)).toEqual({
      action: 'erased',
      connector: 'module',
      configuration: 'digest-of-crm',
      tables: {
        [TABLE]: { action: 'erase', rows: 2 },
        invoices: { action: 'retain', rows: 1 },
      },
      verified: 'requeried',
      attempts: 1,
      started_time: now,
      finished_time: now,
    });
  });

  it('a task counts as not found only if every preview found nothing', async () => {
    const request = await world.erasureOf(['nobody@example.com']);
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'not_found',
      verified: 'requeried',
    });
    expect(world.connector.calls.map(({ verb }) => verb)).toEqual(['preview', 'verify']);
  });

  it('found, and gone before it could be erased, it is not called not found', async () => {
    world.connector.rows = [aRow(JANE)];
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.erase = async (honest) => {
      world.connector.rows = [];
      return honest();
    };
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'already_erased',
      tables: { [TABLE]: { rows: 0 } },
    });
  });

  it('the evidence of a task that was not searched again says so', async () => {
    world.connector.rows = [aRow(JANE)];
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.verify = async (_, orders) =>
      orders.map((): Verdict => ({ outcome: 'gone', how: 'reported' }));
    await world.run();
    expect((await world.evidenceOf(request))?.verified).toBe('reported, not re-queried');
  });

  it('the evidence of a task verified by a hand-written statement names the statement', async () => {
    world.connector.rows = [aRow(JANE)];
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.verify = async (_, orders) =>
      orders.map((): Verdict => ({ outcome: 'gone', how: 'requeried', by: 'sql.verify' }));
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      verified: 'requeried',
      verified_by: 'sql.verify',
    });
  });

  it('still there after erasing, it fails, is retried, and counts every row once', async () => {
    world.connector.rows = [aRow(JANE), aRow(JANE)];
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.erase = async () => {
      world.connector.rows.pop();
      return [{ outcome: 'erased', counts: { [TABLE]: 1 } }];
    };
    await world.run();
    expect(await taskOf(request)).toMatchObject({
      state: 'failed',
      reason: 'still_there',
      dueTime: world.clock.now + FIRST_RETRY_MS,
      detail: `the re-query still found rows: 1 in ${TABLE}`,
    });
    world.connector.tricks = {};
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    const evidence = await world.evidenceOf(request);
    expect(evidence).toMatchObject({ action: 'erased', attempts: 2 });
    expect(evidence?.tables[TABLE]).toEqual({ action: 'erase', rows: 2 });
  });

  it('erased, and seen as gone only by a second attempt, it counts every row once', async () => {
    world.connector.rows = [aRow(JANE), aRow(JANE), aRow(JANE)];
    const request = await world.erasureOf([JANE]);
    // As an endpoint that names no rows.
    world.connector.tricks.preview = async (honest) =>
      honest().map((one) => ({ ...one, keys: {} }) as Preview);
    world.connector.tricks.erase = async () => {
      world.connector.rows = [];
      return [{ outcome: 'erased', counts: { [TABLE]: 3 } }];
    };
    world.connector.tricks.verify = async () => [
      { outcome: 'failed', code: 'http_503', detail: 'busy' },
    ];
    await world.run();
    world.connector.tricks = { erase: async () => [{ outcome: 'erased', counts: {} }] };
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    const evidence = await world.evidenceOf(request);
    expect(evidence).toMatchObject({ action: 'erased', attempts: 2 });
    expect(evidence?.tables[TABLE]).toEqual({ action: 'erase', rows: 3 });
  });

  it('shared with an older request, it names that one and counts nothing of it', async () => {
    world.connector.rows = [aRow(JANE), aRow(JOE)];
    const older = await world.erasureOf([JANE]);
    const younger = await world.erasureOf([JANE]);
    const both = await world.erasureOf([JANE, JOE]);
    await world.run();
    expect(await world.evidenceOf(older)).toMatchObject({ action: 'erased' });
    const already_erased_by = [older.subjectRequestId];
    expect(await world.evidenceOf(younger)).toMatchObject({
      action: 'already_erased',
      already_erased_by,
    });
    expect((await world.evidenceOf(younger))?.tables).not.toHaveProperty(TABLE);
    expect(await world.evidenceOf(both)).toMatchObject({
      action: 'erased',
      already_erased_by,
      tables: { [TABLE]: { rows: 1 } },
    });
  });

  it('erased when digests were made with another key, it names that request', async () => {
    world.connector.rows = [aRow(JANE)];
    const older = await world.erasureOf([JANE]);
    await world.run();
    world.replaceDigestKey();
    const younger = await world.erasureOf([JANE]);
    const other = await world.erasureOf([JOE]);
    await world.run();
    expect(await world.evidenceOf(younger)).toMatchObject({
      action: 'already_erased',
      already_erased_by: [older.subjectRequestId],
    });
    expect(await world.evidenceOf(other)).toMatchObject({ action: 'not_found' });
  });

  it('names the earlier request if the rows were erased for that one', async () => {
    world.connector.rows = [aRow(JANE)];
    const older = await world.erasureOf([JANE]);
    await world.run();
    const younger = await world.erasureOf([JANE.toUpperCase()]);
    const theirs = await world.erasureOf([JANE], { controllerId: GLOBEX });
    await world.run();
    expect(await world.evidenceOf(younger)).toMatchObject({
      action: 'already_erased',
      already_erased_by: [older.subjectRequestId],
    });
    expect(await world.evidenceOf(theirs)).toMatchObject({ action: 'not_found' });
  });

  it('shared with another controller, it does not name that one', async () => {
    const theirs = await world.erasureOf([JANE], { controllerId: GLOBEX });
    const ours = await world.erasureOf([JANE]);
    const older = (await taskOf(theirs)).taskNo;
    world.connector.tricks.preview = async (honest) =>
      honest().map((one, index) =>
        one.outcome === 'found' && index === 1 ? { ...one, sharedWith: [older] } : one,
      );
    await world.run();
    const evidence = await world.evidenceOf(ours);
    expect(evidence?.already_erased_by).toEqual(['a request of another controller']);
    expect(JSON.stringify(evidence)).not.toContain(theirs.subjectRequestId);
  });

  it.each(['preview', 'erase', 'verify'] as const)(
    'a task without an answer of %s fails, and the others continue',
    async (verb) => {
      world.connector.rows = [aRow(JANE), aRow(JOE)];
      const [jane, joe] = [await world.erasureOf([JANE]), await world.erasureOf([JOE])];
      world.connector.tricks[verb] = async (honest: () => never[]) => honest().slice(0, 1);
      await world.run();
      expect(await world.scene.statusOf(jane)).toBe('completed');
      expect(await taskOf(joe)).toMatchObject({
        state: 'failed',
        reason: 'no_outcome',
        detail: 'the connector gave no answer',
        dueTime: world.clock.now + FIRST_RETRY_MS,
      });
    },
  );

  it.each(['preview', 'erase', 'verify'] as const)(
    'a task that failed in %s is retried later, and the others continue',
    async (verb) => {
      world.connector.rows = [aRow(JANE), aRow(JOE)];
      const [jane, joe] = [await world.erasureOf([JANE]), await world.erasureOf([JOE])];
      const failed = { outcome: 'failed', code: 'lock_timeout', detail: 'it was locked' } as const;
      world.connector.tricks[verb] = async (honest: () => never[]) =>
        (honest() as unknown[]).with(0, failed) as never[];
      await world.run();
      expect(await taskOf(jane)).toMatchObject({
        state: 'failed',
        reason: 'lock_timeout',
        detail: 'it was locked',
      });
      expect(await world.scene.statusOf(joe)).toBe('completed');
      world.connector.tricks = {};
      world.clock.now += FIRST_RETRY_MS;
      await world.run();
      // It has erased, and not said so.
      expect(await world.evidenceOf(jane)).toMatchObject(
        verb === 'erase'
          ? { action: 'already_erased', attempts: 2, tables: { [TABLE]: { unconfirmed: 1 } } }
          : { action: 'erased', attempts: 2 },
      );
    },
  );

  it('a task whose target is down waits, and the failure does not count against it', async () => {
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.preview = () =>
      Promise.reject(new TargetDown('refused', 'the server refused the connection'));
    const { down } = await world.run();
    expect(down).toMatchObject({ code: 'refused' });
    expect(await taskOf(request)).toMatchObject({
      state: 'waiting',
      reason: 'refused',
      dueTime: world.clock.now,
    });
    expect((await world.under.audit(request)).map(({ action }) => action)).toEqual([
      'request.started',
    ]);
  });

  it('a task with invalid answers waits, and the reason is visible', async () => {
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.preview = async () => [{ outcome: 'found' } as never];
    expect((await world.run()).down?.code).toBe('connector_error');
    expect(await taskOf(request)).toMatchObject({ state: 'waiting', reason: 'connector_error' });
    world.connector.tricks = { verify: async () => [null as never] };
    await world.run();
    expect(await taskOf(request)).toMatchObject({ state: 'waiting', reason: 'unexpected_error' });
  });

  it('is not erased if it shares its rows with an older task that could not be erased', async () => {
    world.connector.rows = [aRow(JANE)];
    const older = await world.erasureOf([JANE]);
    const younger = await world.erasureOf([JANE]);
    const failed = { outcome: 'failed', code: 'lock_timeout', detail: 'it was locked' } as const;
    // Nor where the target is only believed.
    world.connector.tricks = {
      erase: async () => [failed],
      verify: async (_, orders) =>
        orders.map((): Verdict => ({ outcome: 'gone', how: 'reported' })),
    };
    await world.run();
    expect((await taskOf(older)).state).toBe('failed');
    expect(await taskOf(younger)).toMatchObject({ state: 'failed', reason: 'still_there' });
    world.connector.tricks = {};
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    expect(await world.evidenceOf(older)).toMatchObject({ tables: { [TABLE]: { rows: 1 } } });
    expect(await world.evidenceOf(younger)).toMatchObject({ action: 'already_erased' });
  });

  it('does not name an older request of the same person that could not be erased', async () => {
    world.connector.rows = [aRow(JOE)];
    const older = await world.erasureOf([JANE, JOE]);
    const younger = await world.erasureOf([JANE]);
    const failed = { outcome: 'failed', code: 'lock_timeout', detail: 'it was locked' } as const;
    world.connector.tricks.erase = async () => [failed];
    await world.run();
    expect((await taskOf(older)).state).toBe('failed');
    expect(await world.evidenceOf(younger)).toMatchObject({ action: 'not_found' });
    expect(await world.evidenceOf(younger)).not.toHaveProperty('already_erased_by');
  });

  it('a task whose identities cannot be decrypted fails, and the others continue', async () => {
    world.connector.rows = [aRow(JANE)];
    const broken = await world.erasureOf([JOE]);
    const jane = await world.erasureOf([JANE]);
    const other = await world.scene.create();
    const sealed = world.under.sealIdentities(other, []);
    const by = { actor: 'operator:olga', now: world.clock.now };
    await world.under.operator.identify(broken, { sealed, digests: [] }, by);
    await world.run();
    expect(await taskOf(broken)).toMatchObject({ state: 'failed', reason: 'cannot_open' });
    expect((await taskOf(broken)).detail).toContain('is it the right master key?');
    expect(await world.scene.statusOf(jane)).toBe('completed');
  });
});

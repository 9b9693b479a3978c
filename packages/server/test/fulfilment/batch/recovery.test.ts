import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { GLOBEX, HOUR, START } from '../../contract/fulfilment/under-test.ts';
import { aRow, type BatchWorld, openBatchWorld } from '../batch-world.ts';
import { TABLE } from '../memory-connector.ts';

const JANE = 'jane@example.com';
const LATER = {
  state: 'waiting',
  phase: 'erase',
  changedTime: START,
  leaseUntil: undefined,
} as const;

describe('a worker that dies', () => {
  let world: BatchWorld;
  beforeEach(async () => {
    world = await openBatchWorld();
    world.connector.rows = [aRow(JANE), aRow(JANE)];
  });
  afterEach(() => world.close());

  it('a worker that dies before erasing leaves everything to the next, which has nothing to recover', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('recordTransaction');
    expect(world.connector.rows).toHaveLength(2);
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'erased',
      attempts: 2,
      verified: 'requeried',
      tables: { [TABLE]: { action: 'erase', rows: 2 }, invoices: { action: 'retain', rows: 0 } },
    });
    expect(await world.evidenceOf(request)).not.toHaveProperty('recovered');
  });

  it.each(['erase', 'verify'] as const)(
    'rows of a worker that died after %s may have been erased: a module is not asked how a call ended',
    async (verb) => {
      const request = await world.erasureOf([JANE]);
      const started = world.clock.now;
      await world.dieAfter(verb);
      expect(world.connector.rows).toEqual([]);
      expect((await world.scene.task(request, 'crm')).state).toBe('running');
      await world.run();
      expect(await world.evidenceOf(request)).toMatchObject({
        action: 'already_erased',
        attempts: 2,
        verified: 'requeried',
        tables: { [TABLE]: { action: 'erase', rows: 0, unconfirmed: 2 } },
        started_time: new Date(started).toISOString(),
        finished_time: new Date(world.clock.now).toISOString(),
      });
      expect(await world.scene.statusOf(request)).toBe('completed');
    },
  );

  it('no row is unconfirmed twice, even if a worker dies twice', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    await world.dieAfter('verify');
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      attempts: 3,
      tables: { [TABLE]: { rows: 0, unconfirmed: 2 } },
    });
  });

  it('has a row that came since erased and counted with its own', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    world.connector.rows.push(aRow(JANE));
    await world.run();
    expect(world.connector.rows).toEqual([]);
    expect(await world.evidenceOf(request)).toMatchObject({
      tables: { [TABLE]: { rows: 1, unconfirmed: 1 } },
    });
  });

  it('does not count a row that another request erased, even if another controller uses the same id', async () => {
    const { clock, connector, scene } = world;
    const older = await world.erasureOf([JANE]);
    await world.dieAfter('recordTransaction');
    connector.tricks.preview = () => Promise.reject(new Error('down'));
    await world.run();
    connector.tricks = {};
    clock.now += 1;
    const younger = await scene.create({ identities: [new Identity('email', JANE)] });
    for (let row = 0; row < 101; row++) connector.rows.push(aRow('max@example.com', GLOBEX));
    await scene.create({
      controllerId: GLOBEX,
      subjectRequestId: younger.subjectRequestId,
      identities: [new Identity('email', 'max@example.com')],
    });
    const { taskNo } = await scene.task(older, 'crm');
    await world.under.forceTasks([{ ...LATER, taskNo, dueTime: clock.now + HOUR }]);
    await world.startDue();
    const [first] = await scene.tasksOf(younger);
    const nextNo = (first?.taskNo ?? 0) + 1;
    await world.under.forceTasks([{ ...LATER, taskNo: nextNo, dueTime: clock.now + HOUR }]);
    await world.run();
    clock.now += HOUR;
    await world.run();
    expect(await world.evidenceOf(older)).toMatchObject({
      action: 'already_erased',
      already_erased_by: [younger.subjectRequestId],
    });
  });

  it('has its rows counted even if the next attempt is held', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    for (let row = 0; row < 101; row++) world.connector.rows.push(aRow(JANE));
    await world.run();
    const { taskNo, reason } = await world.scene.task(request, 'crm');
    expect(reason).toBe('over_cap');
    await world.under.operator.release(taskNo, { actor: 'operator:olga', now: world.clock.now });
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      tables: { [TABLE]: { rows: 101 } },
    });
  });

  it('has its rows counted even if erasing is paused during the next attempt', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    world.connector.rows.push(aRow(JANE));
    const by = { actor: 'operator:olga', now: world.clock.now };
    world.connector.tricks.preview = async (honest) => {
      await world.under.pauses.pause('crm', by);
      return honest();
    };
    await world.run();
    expect((await world.scene.task(request, 'crm')).reason).toBe('paused');
    world.connector.tricks = {};
    await world.under.pauses.resume('crm', by);
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      tables: { [TABLE]: { rows: 1, unconfirmed: 1 } },
    });
  });

  it('has its rows counted even if the next attempt has to preview twice', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    world.connector.tricks.erase = async (_, orders) => {
      world.connector.tricks = {};
      return orders.map(() => ({ outcome: 'grown' }));
    };
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      tables: { [TABLE]: { rows: 0, unconfirmed: 2 } },
    });
  });

  it('has its rows counted even if the target goes down before the next has verified', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    world.connector.rows.push(aRow(JANE));
    world.connector.tricks.verify = () => Promise.reject(new Error('the connection broke'));
    await world.run();
    world.connector.tricks = {};
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      tables: { [TABLE]: { rows: 1, unconfirmed: 1 } },
    });
  });

  it('has its rows counted even if rows keep coming during the next attempt', async () => {
    const request = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    world.connector.rows.push(aRow(JANE));
    world.connector.tricks.erase = async (_, orders) => {
      world.connector.rows.push(aRow(JANE));
      return orders.map(() => ({ outcome: 'grown' }));
    };
    await world.run();
    expect((await world.scene.task(request, 'crm')).reason).toBe('keeps_growing');
    world.connector.tricks = {};
    world.clock.now += HOUR;
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      tables: { [TABLE]: { rows: 4, unconfirmed: 1 } },
    });
  });

  it('a worker that dies half way leaves the remaining rows to the next, and the others are unconfirmed', async () => {
    const request = await world.erasureOf([JANE]);
    world.connector.tricks.erase = async () => {
      world.connector.rows.pop();
      return await Promise.reject(new Error('the connection broke'));
    };
    const { down } = await world.run();
    expect(down?.code).toBe('connector_error');
    world.connector.tricks = {};
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      attempts: 2,
      tables: { [TABLE]: { rows: 1, unconfirmed: 1 } },
    });
  });

  it('leaves the shared rows of two requests counted once, and the younger naming the older', async () => {
    const older = await world.erasureOf([JANE]);
    const younger = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    await world.run();
    expect(await world.evidenceOf(older)).toMatchObject({
      action: 'already_erased',
      tables: { [TABLE]: { rows: 0, unconfirmed: 2 } },
    });
    expect(await world.evidenceOf(younger)).toMatchObject({
      action: 'already_erased',
      already_erased_by: [older.subjectRequestId],
    });
  });

  it('is not given the rows that another request erased since', async () => {
    const older = await world.erasureOf([JANE]);
    world.connector.tricks.erase = async () => [
      { outcome: 'failed', code: 'lock_timeout', detail: 'it was locked' },
    ];
    await world.run();
    world.connector.tricks = {};
    world.clock.now += 1000;
    const younger = await world.erasureOf([JANE]);
    await world.run();
    expect(await world.evidenceOf(younger)).toMatchObject({ tables: { [TABLE]: { rows: 2 } } });
    world.clock.now += 60_000;
    await world.run();
    expect(await world.evidenceOf(older)).toMatchObject({
      action: 'already_erased',
      already_erased_by: [younger.subjectRequestId],
      tables: { [TABLE]: { rows: 0 } },
    });
    expect(await world.evidenceOf(older)).not.toHaveProperty('recovered');
  });

  it('has its rows counted although the same person was erased before', async () => {
    await world.erasureOf([JANE]);
    await world.run();
    world.clock.now += 1000;
    world.connector.rows = [aRow(JANE)];
    const again = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    await world.run();
    expect(await world.evidenceOf(again)).toMatchObject({
      action: 'already_erased',
      tables: { [TABLE]: { rows: 0, unconfirmed: 1 } },
    });
  });

  it('leaves its keys to the next, which looks for what belonged to the rows', async () => {
    const asked: number[] = [];
    world.connector.tricks.verify = async (honest, orders) => {
      asked.push(orders[0]?.keys[TABLE]?.length ?? 0);
      return asked.length > 1
        ? honest()
        : orders.map(() => ({ outcome: 'remains', counts: { [TABLE]: 1 } }));
    };
    await world.erasureOf([JANE]);
    await world.run();
    world.clock.now += HOUR;
    await world.run();
    expect(asked).toEqual([2, 2]);
  });

  it('another controller is never named', async () => {
    world.connector.rows = [aRow(JANE, GLOBEX)];
    await world.erasureOf([JANE], { controllerId: GLOBEX });
    const ours = await world.erasureOf([JANE]);
    await world.dieAfter('erase');
    await world.run();
    expect(await world.evidenceOf(ours)).toMatchObject({ action: 'not_found' });
    expect(await world.evidenceOf(ours)).not.toHaveProperty('already_erased_by');
  });
});

import { expect, it } from 'vitest';
import { Fenced, type LeasedBatch } from '../../../src/domain/task/fulfilment-ports.ts';
import { EVERYTHING } from '../../../src/domain/task/pause-ports.ts';
import {
  ACME,
  aTransaction,
  BY,
  commandFor,
  DAY,
  erasedOutcome,
  GLOBEX,
  planned,
} from './under-test.ts';
import type { UseStore } from './use-store.ts';

const reservationsOf = ({ tasks }: LeasedBatch, rows: number) =>
  tasks.map(({ taskNo }) => ({ taskNo, rows, isReleased: false }));

export function casesOfPausesAndLimits(use: UseStore): void {
  it('give no lease of a paused target, nor take a batch over there', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('crm'), planned('shop')]);
    await scene.lease('crm');
    clock.now += DAY;
    await under.pauses.pause('crm', BY);
    await expect(scene.lease('crm')).rejects.toThrow('nothing to do');
    expect(await under.second.targetsWithWork(clock.now)).toEqual(['shop']);
    await under.pauses.pause(EVERYTHING, BY);
    expect(await under.second.targetsWithWork(clock.now)).toEqual([]);
    await under.pauses.resume('crm', BY);
    await under.pauses.resume(EVERYTHING, BY);
    expect((await scene.lease('crm')).attempt).toBe(2);
  });

  it('are seen by a batch that was leased before', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm', 100, under.second);
    const ask = () =>
      under.second.recordTransaction(
        batch,
        aTransaction({ reservations: reservationsOf(batch, 1), maxRowsPerDay: null }),
        0,
        clock.now,
      );
    expect((await ask()).paused).toBe(false);
    await under.pauses.pause(EVERYTHING, BY);
    expect((await ask()).paused).toBe(true);
  });

  it('reserve rows of a day for who asks first, and once for who asks again', async () => {
    const { under, scene, clock } = use();
    for (let n = 0; n < 3; n++) await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    const [one, two, three] = batch.tasks.map(({ taskNo }) => taskNo);
    const ask = () =>
      under.store.recordTransaction(
        batch,
        aTransaction({ reservations: reservationsOf(batch, 2), maxRowsPerDay: 5 }),
        0,
        clock.now,
      );
    expect([...(await ask()).tomorrow]).toEqual([three]);
    expect([...(await ask()).tomorrow]).toEqual([three]);
    const outcomes = [one, two].map((taskNo) => erasedOutcome(taskNo ?? 0));
    await under.store.recordOutcomes(batch, outcomes, [], clock.now);
    // One row each was erased in the end: the day has three left.
    expect([...(await ask()).tomorrow]).toEqual([]);
  });

  it('return how many rows and starts of a day are used up', async () => {
    const { under, scene, clock } = use();
    const used = (what: 'rows' | 'starts', whose: string) =>
      under.pauses.usedToday(what, whose, clock.now);
    expect([await used('rows', 'crm'), await used('starts', ACME)]).toEqual([0, 0]);
    await scene.started([planned('crm')]);
    const batch = await scene.lease('crm');
    await under.store.recordTransaction(
      batch,
      aTransaction({ reservations: reservationsOf(batch, 2), maxRowsPerDay: 5 }),
      0,
      clock.now,
    );
    expect([await used('rows', 'crm'), await used('starts', ACME)]).toEqual([2, 1]);
    expect([await used('rows', 'shop'), await used('starts', GLOBEX)]).toEqual([0, 0]);
    clock.now += DAY;
    expect([await used('rows', 'crm'), await used('starts', ACME)]).toEqual([0, 0]);
  });

  it('reserve nothing for a worker that has lost its batch', async () => {
    const { under, scene, clock } = use();
    await scene.started([planned('crm')]);
    const late = await scene.lease('crm');
    clock.now += DAY;
    await scene.lease('crm', 100, under.second);
    const asked = under.store.recordTransaction(
      late,
      aTransaction({ reservations: reservationsOf(late, 1), maxRowsPerDay: 5 }),
      0,
      clock.now,
    );
    await expect(asked).rejects.toThrow(Fenced);
  });

  it("start a limited number of a controller's requests a day, and leave out controllers at their limit", async () => {
    const { under, scene, clock } = use();
    for (const controllerId of [ACME, ACME, ACME, GLOBEX]) await scene.create({ controllerId });
    const due = await under.store.dueRequests(clock.now, 100);
    const commands = due.map((request) => commandFor(request, [planned('crm')]));
    expect(await under.store.startRequests(commands, clock.now, 2)).toBe(3);
    const out = await under.store.controllersAtDailyLimit(2, clock.now);
    expect(out).toEqual([ACME]);
    expect(await under.store.dueRequests(clock.now, 100, out)).toEqual([]);
    expect(await under.store.dueRequests(clock.now, 100)).toHaveLength(1);
    expect(await under.store.controllersAtDailyLimit(2, clock.now + DAY)).toEqual([]);
  });
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayOf, startOfDay } from '../../src/domain/limit/day.ts';
import type { Evidence } from '../../src/domain/task/task.ts';
import { createConditionStore } from '../../src/store/shared/alarms/alarm-conditions.ts';
import { databaseOn } from '../../src/store/sqlite/database.ts';
import {
  DAY,
  erasedOutcome,
  HOUR,
  heldOutcome,
  MINUTE,
  planned,
} from '../contract/fulfilment/under-test.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';
import { type AlarmWorld, openAlarmWorld } from './alarm-world.ts';

let world: AlarmWorld;

beforeEach(async () => {
  world = await openAlarmWorld();
});
afterEach(() => world.close());

const kinds = () => world.told.map(({ kind }) => kind);

async function complete(count: number, action: Evidence['action']): Promise<void> {
  for (let n = 0; n < count; n++) {
    await world.scene.started([planned('crm')]);
    await world.scene.work('crm', (taskNo) => erasedOutcome(taskNo, action));
  }
}

describe('conditions', () => {
  it('an alarm says that a controller has used up its starts, once a day', async () => {
    await complete(10, 'erased');
    await world.pass(HOUR, 60_000);
    expect(kinds()).toEqual(['daily_starts']);
    expect(world.told[0]?.controllerId).toBe('acme');
    world.clock.now += DAY;
    await complete(10, 'erased');
    await world.pass(HOUR, 60_000);
    expect(kinds()).toEqual(['daily_starts', 'daily_starts']);
  });

  it("an alarm says that more than a fifth of a day's requests was found nowhere", async () => {
    await complete(16, 'erased');
    await complete(4, 'not_found');
    await world.pass(60_000, 10_000);
    expect(kinds()).not.toContain('not_found');
    await complete(1, 'not_found');
    await world.pass(60_000, 10_000);
    expect(kinds().filter((kind) => kind === 'not_found')).toHaveLength(1);
  });

  it('say nothing about a handful that was found nowhere', async () => {
    await complete(9, 'not_found');
    await world.pass(60_000, 10_000);
    expect(kinds()).toEqual([]);
  });

  it('report a target that is down for over an hour, once for each time', async () => {
    const down = { target: 'crm', code: 'unreachable', detail: 'gone', failures: 1, probeTime: 0 };
    await world.under.store.openCircuit({ ...down, openedTime: world.clock.now });
    await world.pass(0.9 * HOUR, 60_000);
    expect(kinds()).toEqual([]);
    await world.pass(5 * HOUR, 60_000);
    expect(kinds()).toEqual(['target_down']);
    await world.under.store.closeCircuit('crm');
    await world.under.store.openCircuit({ ...down, openedTime: world.clock.now });
    await world.pass(5 * HOUR, 60_000);
    expect(kinds()).toEqual(['target_down', 'target_down']);
  });
});

describe('tasks that are held', () => {
  async function hold(count: number, reason: 'over_cap' | 'manual'): Promise<void> {
    for (let n = 0; n < count; n++) {
      await world.scene.started([planned('crm')]);
      await world.scene.work('crm', (taskNo) => heldOutcome(taskNo, reason, 7));
    }
  }
  const held = () => world.told.filter(({ kind }) => kind === 'held');

  it('are one alarm with their number by target and reason, ten minutes after the first', async () => {
    await hold(1, 'manual');
    await world.pass(9 * MINUTE, MINUTE);
    await hold(2, 'over_cap');
    expect(held()).toEqual([]);
    await world.pass(2 * MINUTE, MINUTE);
    expect(held()).toMatchObject([
      {
        count: 3,
        message: expect.stringMatching(
          /^3 tasks wait for a decision: 2 of crm \(over_cap\), 1 of crm \(manual\)/,
        ),
      },
    ]);
    await hold(1, 'manual');
    await world.pass(HOUR, MINUTE);
    expect(held()).toHaveLength(1);
  });

  it('are told again on the next day while there are any', async () => {
    await hold(1, 'manual');
    await world.pass(DAY + HOUR, HOUR);
    expect(held()).toHaveLength(2);
  });
});

describe('the daily summary', () => {
  it('is made once a day at its time, with the numbers of yesterday', async () => {
    const store = createConditionStore(withTestMacs(databaseOn(world.under.database)));
    const limits = { maxStartsPerDay: null, notFoundPercent: null, summaryAt: 8 * HOUR };
    await complete(2, 'erased');
    await complete(1, 'not_found');
    await world.scene.started([planned('crm')]);
    const today = startOfDay(dayOf(world.clock.now)) + DAY;
    expect(await store.conditions(limits, today + 7 * HOUR)).toEqual([]);
    const alarms = await store.conditions(limits, today + 8 * HOUR);
    expect(alarms.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      'daily_summary: open requests: 1; due within three days: 0; tasks that wait for a decision: 0; completed yesterday: 3, 1 of them found at no target',
    ]);
    await store.raise(alarms);
    expect(await store.conditions(limits, today + 9 * HOUR)).toEqual([]);
    const [later] = await store.conditions(limits, today + 28 * DAY + 8 * HOUR);
    expect(later?.message).toContain('due within three days: 1');
  });
});

describe('the webhook', () => {
  async function raiseOne(): Promise<void> {
    await complete(10, 'erased');
    await world.look();
  }

  it('gets what was raised, without an identity', async () => {
    await raiseOne();
    expect(world.posted).toEqual([
      expect.objectContaining({ kind: 'daily_starts', controller_id: 'acme', percents: [] }),
    ]);
    expect(JSON.stringify(world.posted)).not.toContain('jane');
    expect((await world.catalogue.alarms({ limit: 10 }))[0]?.deliveredTime).toBe(world.clock.now);
  });

  it('is tried again, less and less often, until it takes it; in order', async () => {
    world.webhook.answer = { ok: false, reason: 'it answered 500 instead of 2xx' };
    await raiseOne();
    await world.pass(HOUR, 1000);
    expect(world.failures.length).toBeGreaterThan(5);
    expect(world.failures.length).toBeLessThan(12);
    world.webhook.answer = { ok: true, answer: 'the webhook answered 204' };
    await world.pass(HOUR, 60_000);
    expect((await world.catalogue.alarms({ limit: 10 }))[0]?.deliveredTime).toBeGreaterThan(0);
    expect(new Set(world.posted.map(({ alarm }) => alarm)).size).toBe(1);
  });

  it('is given up on after a week', async () => {
    world.webhook.answer = { ok: false, reason: 'it cannot be reached (ECONNREFUSED)' };
    await raiseOne();
    await world.pass(9 * DAY, HOUR);
    const { length } = world.posted;
    await world.pass(9 * DAY, HOUR);
    expect(world.posted).toHaveLength(length);
    expect((await world.catalogue.alarms({ limit: 10 }))[0]?.deliveredTime).toBe(-1);
  });
});

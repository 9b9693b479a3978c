// Alarms over a real store, on a clock that only moves when a test says so.

import type { AlarmMessage } from '../../src/alarms/alarm-message.ts';
import { createDeliverChore } from '../../src/alarms/deliver-chore.ts';
import { createConditionsChore, createDeadlinesChore } from '../../src/alarms/watch-chores.ts';
import type { Posted } from '../../src/alarms/webhook.ts';
import type { NewAlarm } from '../../src/domain/alarm/alarm.ts';
import type { WatchStore } from '../../src/domain/alarm/alarm-ports.ts';
import type { ReachedStage } from '../../src/domain/alarm/deadline-alarms.ts';
import { createConditionStore } from '../../src/store/shared/alarms/alarm-conditions.ts';
import {
  BY_WEBHOOK,
  createAlarmCatalogue,
  createDeliveryStore,
} from '../../src/store/shared/alarms/alarms.ts';
import { createWatchStore } from '../../src/store/shared/alarms/watched-requests.ts';
import { databaseOn } from '../../src/store/sqlite/database.ts';
import { ACME, createScene, GLOBEX, START } from '../contract/fulfilment/under-test.ts';
import { openSqliteFulfilment } from '../helpers/stores/open-fulfilment-store.ts';
import { withTestMacs } from '../helpers/stores/row-macs.ts';

export const LIMITS = { maxStartsPerDay: 10, notFoundPercent: 20, summaryAt: null };

export async function openAlarmWorld(start = START) {
  const clock = { now: start };
  const under = await openSqliteFulfilment([ACME, GLOBEX], clock);
  const { database } = under;
  const port = withTestMacs(databaseOn(database));
  const told: NewAlarm[] = [];
  const tell = (raised: readonly NewAlarm[]) => void told.push(...raised);
  /** Every stage of every request, before they are grouped. */
  const reached: (ReachedStage & { readonly time: number })[] = [];
  const watch = createWatchStore(port);
  const noting: WatchStore = {
    ...watch,
    look: (now, lookAt) =>
      watch.look(now, (request) => {
        const looked = lookAt(request);
        reached.push(...looked.reached.map((stage) => ({ ...stage, time: now })));
        return looked;
      }),
  };
  const posted: AlarmMessage[] = [];
  const webhook: { answer: Posted } = { answer: { ok: true, answer: 'the webhook answered 200' } };
  const failures: string[] = [];
  const deliver = createDeliverChore({
    store: createDeliveryStore(port, BY_WEBHOOK),
    console: 'https://privacy.example',
    async send(message) {
      posted.push(message);
      return webhook.answer;
    },
    clock: () => clock.now,
    failed: (reason) => failures.push(reason),
  });
  const chores = [
    createDeadlinesChore(noting, tell),
    createConditionsChore(createConditionStore(port), LIMITS, 10_000, tell),
    deliver,
  ];
  let runs = 0;

  /** What the worker does with chores that are due, until none is; a chore that always is, shows. */
  async function look(): Promise<void> {
    for (let rounds = 0; rounds < 50; rounds++) {
      const isDue = await Promise.all(chores.map((chore) => chore.isDue(clock.now)));
      const due = chores.filter((_, at) => isDue[at]);
      if (due.length === 0) return;
      runs += due.length;
      for (const chore of due) await chore.run(clock.now);
      await deliver.idle();
    }
    throw new Error('a chore is due without end');
  }

  /** The clock moves on in steps, with a look after each. */
  async function pass(ms: number, step: number): Promise<void> {
    for (const end = clock.now + ms; clock.now < end; ) {
      clock.now = Math.min(end, clock.now + step);
      await look();
    }
  }

  return {
    clock,
    under,
    told,
    reached,
    posted,
    webhook,
    failures,
    look,
    pass,
    database,
    scene: createScene(under, clock),
    catalogue: createAlarmCatalogue(port),
    runs: () => runs,
    close: under.close,
  };
}

export type AlarmWorld = Awaited<ReturnType<typeof openAlarmWorld>>;

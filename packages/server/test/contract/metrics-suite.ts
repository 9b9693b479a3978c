// What every store must tell about itself.
import { describe, expect, it } from 'vitest';
import { anAlarm } from '../../src/domain/alarm/alarm.ts';
import { dayOf } from '../../src/domain/limit/day.ts';
import { ACME, DAY, GLOBEX, NOON, type OpenRecords } from './records/under-test.ts';
import { useRecords } from './records/use-records.ts';

const QUERY = {
  now: NOON + DAY,
  cancellationWindowMs: 0,
  patientTargets: [],
};

export function describeMetrics(name: string, openRecords: OpenRecords): void {
  describe(`metrics in ${name}`, () => {
    const use = useRecords(openRecords);

    it('are all zero in a new store', async () => {
      const metrics = await use().node.readMetrics(QUERY);
      expect(metrics).toMatchObject({
        createdTotal: 0,
        openTasks: [],
        targetTotals: [],
        undeliveredAlarms: 0,
        oldestReceivedTime: null,
        nearestStatutoryDeadline: null,
        targetsDown: [],
        paused: [],
        attention: new Map(),
        alarms: new Map(),
        requestTotals: new Map(),
        openRequests: new Map([
          ['pending', 0],
          ['in_progress', 0],
        ]),
      });
      expect(metrics.databaseBytes).toBeGreaterThan(0);
    });

    it('count requests, tasks and alarms', async () => {
      const { node, under, records } = use();
      const count = async (what: string, whose: string, count: number) => {
        await under.insert('daily_counts', { day: dayOf(NOON), what, whose, count });
        await under.insert('daily_counts', { day: -1, what, whose, count });
      };
      await records.request({ received_time: NOON + 5 });
      await records.request({ received_time: NOON + 3 });
      const { requestNo } = await records.request({
        status: 'in_progress',
        started_time: NOON,
        plan_id: null,
        received_time: NOON + 4,
      });
      await records.request({ status: 'cancelled', cancelled_time: NOON });
      await records.completed({ controller_id: GLOBEX });
      await records.task(requestNo, { state: 'failed', reason: 'refused' });
      await records.task(requestNo, { state: 'waiting', target: 'crm', due_time: QUERY.now });
      await records.task(requestNo, { state: 'waiting', target: 'crm', due_time: QUERY.now });
      await count('starts', ACME, 1);
      await count('starts', GLOBEX, 1);
      await count('cancelled', ACME, 1);
      await count('completed', GLOBEX, 1);
      await count('rows', 'shop', 12);
      await count('tasks', 'shop', 3);
      const down = { code: 'unreachable', detail: 'gone', failures: 1, probe_time: 0 };
      await under.insert('circuits', { target: 'paper', ...down, opened_time: NOON });
      await under.insert('brakes', { scope: 'crm', paused_time: NOON, paused_by: 'olga' });
      for (const [subject, time] of [
        ['a', NOON - 1],
        ['b', NOON],
      ] as const)
        await node.conditions.raise([anAlarm('worker_failing', subject, 'it fails', time)]);

      const metrics = await node.readMetrics(QUERY);
      expect(metrics.openTasks.toSorted((a, b) => (a.target < b.target ? -1 : 1))).toEqual([
        { target: 'crm', state: 'waiting', count: 2 },
        { target: 'shop', state: 'failed', count: 1 },
      ]);
      expect(metrics).toMatchObject({
        createdTotal: 5,
        undeliveredAlarms: 2,
        oldestReceivedTime: NOON + 3,
        targetsDown: ['paper'],
        paused: ['crm'],
        alarms: new Map([['worker_failing', NOON]]),
        nearestStatutoryDeadline: Date.parse('2026-12-15T11:00:00Z'),
        openRequests: new Map([
          ['pending', 2],
          ['in_progress', 1],
        ]),
        requestTotals: new Map([
          ['starts', 2],
          ['cancelled', 1],
          ['completed', 1],
        ]),
        targetTotals: [
          { target: 'shop', what: 'rows', count: 12 },
          { target: 'shop', what: 'tasks', count: 3 },
        ],
      });
      expect(metrics.attention.get('refused')).toBe(1);
      expect(metrics.attention.get('paused')).toBe(2);
    });
  });
}

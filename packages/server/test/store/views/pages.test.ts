// Pages of the console hold every request exactly once, whatever the filter; and what is counted is what is there.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestPageQuery, RequestPlace } from '../../../src/domain/operator/view-ports.ts';
import type { AttentionFilter } from '../../../src/domain/task/operator-ports.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { reasonsFor } from '../../../src/operator/overview/what-to-do.ts';
import { createStatisticsStore } from '../../../src/store/shared/views/count-statistics.ts';
import { createOperatorViews } from '../../../src/store/shared/views/views.ts';
import type { Database } from '../../../src/store/sql.ts';
import { databaseOn } from '../../../src/store/sqlite/database.ts';
import { migrate } from '../../../src/store/sqlite/migrate.ts';
import { freshStoreDatabase } from '../../helpers/stores/fresh-store-database.ts';
import { testMacs } from '../../helpers/stores/row-macs.ts';
import { type StoreKind, storeKinds } from '../../helpers/stores/test-store.ts';
import { RARE_EVERY, writeManyRequests } from './many-requests.ts';

const COUNT = 12_000;
const NOW = Date.parse('2026-11-15T12:00:00Z');
const DAY = 86_400_000;
const RARE = 'rare' as ControllerId;

async function open(kind: StoreKind): Promise<{ database: Database; close(): Promise<void> }> {
  if (kind === 'postgres') return freshStoreDatabase();
  const connection = new DatabaseSync(':memory:');
  migrate(connection, 0);
  return { database: databaseOn(connection), close: async () => connection.close() };
}

for (const kind of await storeKinds()) {
  describe(`pages of the console on ${kind}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      opened = await open(kind);
      await writeManyRequests(opened.database, kind === 'postgres', COUNT, NOW);
    }, 60_000);
    afterAll(() => opened.close());

    const views = () => createOperatorViews(opened.database, testMacs());

    async function readAll(query: Omit<RequestPageQuery, 'limit'>): Promise<number[]> {
      const found: number[] = [];
      let after: RequestPlace | undefined;
      for (let page = 0; page < 200; page++) {
        const place = after && { after };
        const { items, next } = await views().requests({ ...query, ...place, limit: 200 });
        found.push(...items.map(({ requestNo }) => requestNo));
        if (next === null) return found;
        after = next;
      }
      throw new Error('it did not end');
    }

    async function numbersWhere(condition: string): Promise<number[]> {
      const rows = await opened.database.all<{ no: number }>(
        `SELECT request_no AS no FROM @all_requests WHERE ${condition} ORDER BY request_no DESC`,
      );
      return rows.map(({ no }) => no);
    }

    const from = NOW - 20 * DAY;
    const until = NOW - 15 * DAY;
    const cases: [string, Omit<RequestPageQuery, 'limit'>, string][] = [
      ['all', {}, 'true'],
      ['pending ones', { status: 'pending' }, "status = 'pending'"],
      ['those in progress', { status: 'in_progress' }, "status = 'in_progress'"],
      ['completed ones', { status: 'completed' }, "status = 'completed'"],
      ['cancelled ones', { status: 'cancelled' }, "status = 'cancelled'"],
      ["a controller's", { controllerId: RARE }, "controller_id = 'rare'"],
      [
        "a controller's that are completed",
        { controllerId: RARE, status: 'completed' },
        "controller_id = 'rare' AND status = 'completed'",
      ],
      [
        'those of some days',
        { receivedFrom: from, receivedUntil: until },
        `received_time >= ${from} AND received_time < ${until}`,
      ],
      [
        "a controller's of some days",
        { controllerId: 'acme' as ControllerId, receivedFrom: from, receivedUntil: until },
        `controller_id = 'acme' AND received_time >= ${from} AND received_time < ${until}`,
      ],
      ['none of another regulation', { regulation: 'ccpa' }, "regulation = 'ccpa'"],
    ];

    for (const when of ['before they are counted', 'half counted', 'counted']) {
      it(`hold every request once, newest first, ${when}`, { timeout: 60_000 }, async () => {
        const statistics = createStatisticsStore(opened.database);
        if (when === 'half counted') await statistics.countSome(NOW);
        if (when === 'counted') while (await statistics.countSome(NOW));
        for (const [name, query, condition] of cases) {
          expect(await readAll(query), name).toEqual(await numbersWhere(condition));
        }
      });
    }

    it('have the right counts', async () => {
      const statistics = createStatisticsStore(opened.database);
      while (await statistics.countSome(NOW));
      expect(await statistics.anyToCount(NOW)).toBe(false);
      const days = { from: 0, until: 1_000_000 };
      const sum = (rows: readonly { count: number }[]) =>
        rows.reduce((total, { count }) => total + count, 0);
      expect(sum(await views().arrivals(days))).toBe(COUNT);
      expect(sum(await views().arrivals(days, RARE))).toBe(Math.floor(COUNT / RARE_EVERY));
      const completed = (await numbersWhere("status = 'completed'")).length;
      expect(sum(await views().completionTimes(days))).toBe(completed);
      const open = await views().openRequests();
      expect(open.pending.count).toBe((await numbersWhere("status = 'pending'")).length);
    });

    it('list held tasks once, and what needs attention by what is wrong', async () => {
      const { items, next } = await views().tasks({ limit: 200, state: 'held' });
      expect(next).toBeNull();
      expect(items.map(({ state }) => state)).toEqual(items.map(() => 'held'));
      expect(items.length).toBeGreaterThan(0);
      const first = await views().tasks({ limit: 1 });
      const second = await views().tasks({ limit: 1, ...(first.next && { after: first.next }) });
      expect(second.items[0]?.taskNo).not.toBe(first.items[0]?.taskNo);
      const attention = await views().attention({
        now: NOW,
        cancellationWindowMs: 14 * DAY,
        patientTargets: [],
        limit: 1000,
      });
      const reasons = new Map(
        [...Map.groupBy(attention.items, ({ reason }) => reason)].map(([reason, own]) => [
          reason,
          own.length,
        ]),
      );
      expect(reasons.get('over_cap')).toBe(items.length);
      expect(reasons.get('failed')).toBeGreaterThan(0);
    });

    it('list a hold that is newer than many tasks to do by hand, if it is asked for', async () => {
      await opened.database.run(
        `UPDATE @tasks SET state = 'held', reason = 'manual', target = 'paper', due_time = NULL
         WHERE state = 'waiting' AND request_no < 11000`,
      );
      const query = {
        now: NOW,
        cancellationWindowMs: 14 * DAY,
        patientTargets: [],
        limit: 10,
      };
      const held = async (only: AttentionFilter | undefined) => {
        const { items, capped } = await views().attention({ ...query, ...(only && { only }) });
        const own = items.filter(({ state }) => state === 'held');
        return {
          reasons: [...new Set(own.map(({ reason }) => reason))],
          count: own.length,
          capped,
        };
      };
      expect(await held(undefined)).toEqual({ reasons: ['manual'], count: 10, capped: true });
      const release = {
        held: reasonsFor('release', 'held'),
        failed: reasonsFor('release', 'failed'),
      };
      const byReason = { held: { isIn: true, reasons: ['over_cap'] } };
      for (const only of [release, byReason, { target: 'shop' }]) {
        expect(await held(only)).toMatchObject({ reasons: ['over_cap'], count: 1 });
      }
      expect(await held({ held: reasonsFor('confirm', 'held') })).toMatchObject({
        reasons: ['manual'],
        count: 10,
        capped: true,
      });
    });

    it('list the audit log by operator, action and time', async () => {
      const all: number[] = [];
      let after: number | undefined;
      for (;;) {
        const page = await views().audit({
          limit: 200,
          byOperators: true,
          ...(after !== undefined && { after }),
        });
        all.push(...page.items.map(({ auditNo }) => auditNo));
        if (page.next === null) break;
        after = page.next;
      }
      expect(all).toHaveLength(Math.floor(COUNT / 997));
      const rows = await views().audit({ limit: 200, since: from, until: from + DAY / 2 });
      expect(rows.items.length).toBeGreaterThan(0);
      for (const { time } of rows.items) expect(time >= from && time < from + DAY / 2).toBe(true);
    });
  });
}

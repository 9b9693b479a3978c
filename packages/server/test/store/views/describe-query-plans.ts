// With very many requests, no first page of the console reads a big table from end to end, on either store.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findByBeginning } from '../../../src/operator/request/find-by-beginning.ts';
import { createRequestCatalogue } from '../../../src/store/shared/requests/catalogue.ts';
import { createStatisticsStore } from '../../../src/store/shared/views/count-statistics.ts';
import { createOperatorViews } from '../../../src/store/shared/views/views.ts';
import { databaseOn } from '../../../src/store/sqlite/database.ts';
import { migrate } from '../../../src/store/sqlite/migrate.ts';
import {
  type FreshStoreDatabase,
  freshStoreDatabase,
} from '../../helpers/stores/fresh-store-database.ts';
import { testMacs } from '../../helpers/stores/row-macs.ts';
import { openExplainer, recordStatements } from '../postgres/recorded-statements.ts';
import { everyView } from './every-view.ts';
import { writeManyRequests } from './many-requests.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
/** PostgreSQL prefers an index where it has so many rows to look at. */
const ENOUGH = 100_000;
/** What one page may scan for a filter, with what it reads to know where it ended. */
const MAX_ROWS = 25_000;
const BIG = new Set(['requests', 'archived_requests', 'tasks', 'audit_rows', 'alarms']);

export function describeSqlitePlans(count: number): void {
  describe(`with ${count} requests in SQLite`, () => plansOnSqlite(count));
}

function plansOnSqlite(count: number): void {
  const connection = new DatabaseSync(':memory:');
  const database = databaseOn(connection);
  const said = new Map<string, string>();
  let who = '';

  beforeAll(async () => {
    migrate(connection, 0);
    await writeManyRequests(database, false, count, NOW);
    const statistics = createStatisticsStore(database);
    while (await statistics.countSome(NOW));
    const { prepare } = connection;
    connection.prepare = (text) => {
      said.set(text, who);
      return prepare.call(connection, text);
    };
    for (const [name, use] of everyView(createOperatorViews(database, testMacs()), NOW)) {
      who = name;
      await use();
    }
    who = 'by the beginning of an id';
    await findByBeginning(createRequestCatalogue(database), 'c0ffee00', undefined);
    connection.prepare = prepare;
  }, 120_000);
  afterAll(() => connection.close());

  it('every statement finds its rows by an index', () => {
    expect(said.size).toBeGreaterThan(40);
    expect([...said.values()]).toContain('by the beginning of an id');
    const found: string[] = [];
    for (const [text, name] of said) {
      const plan = connection.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
      for (const { detail } of plan) {
        // All requests of a controller, which may be most of them.
        if (/^SEARCH requests USING .*\(controller_id=\?\)/.test(String(detail)))
          found.push(`${name}: ${detail}`);
        const [scan, alias = '', way = ''] = /^SCAN (\w+)(.*)/.exec(String(detail)) ?? [];
        if (scan === undefined) continue;
        const [, table = alias] = new RegExp(`(\\w+) AS ${alias}\\b`).exec(text) ?? [];
        if (BIG.has(table) && !/USING (COVERING )?INDEX/.test(way))
          found.push(`${name}: ${detail}`);
      }
    }
    expect(found).toEqual([]);
  });
}

export function describePostgresPlans(count: number): void {
  describe(`with ${count} requests in PostgreSQL`, () => plansOnPostgres(count));
}

function plansOnPostgres(count: number): void {
  let fresh: FreshStoreDatabase;
  beforeAll(async () => {
    fresh = await freshStoreDatabase();
    await writeManyRequests(fresh.database, true, count, NOW);
    const statistics = createStatisticsStore(fresh.database);
    while (await statistics.countSome(NOW));
    await fresh.database.run('ANALYZE');
  }, 120_000);
  afterAll(() => fresh.close());

  it('every statement finds its rows by an index, and few of them', {
    timeout: 120_000,
  }, async () => {
    const recorder = recordStatements(fresh.database);
    const explainer = await openExplainer(fresh.options, count < ENOUGH);
    const views = createOperatorViews(recorder.database, testMacs());
    for (const [name, use] of everyView(views, NOW)) await recorder.during(name, use);
    await recorder.during('by the beginning of an id', () =>
      findByBeginning(createRequestCatalogue(recorder.database), 'c0ffee00', undefined),
    );
    expect((await views.nearDeadlines()).capped).toBe(true);
    const said = new Map(recorder.recorded.map((one) => [one.text, one]));
    expect(said.size).toBeGreaterThan(40);
    const found: string[] = [];
    for (const one of said.values()) {
      for (const { how, table, rows } of await explainer.scansOf(one)) {
        if (!BIG.has(table)) continue;
        if (how === 'Seq Scan' || rows > MAX_ROWS) found.push(`${one.by}: ${how} ${table} ${rows}`);
      }
    }
    await explainer.close();
    expect(found).toEqual([]);
  });
}

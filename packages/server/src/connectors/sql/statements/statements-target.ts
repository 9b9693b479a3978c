// A target whose operator has written the SQL. Each statement runs once a request and pair of identities.
import { byName } from '../../../domain/by-name.ts';
import {
  type EraseOrder,
  type Erasure,
  type Preview,
  type Subject,
  totalOf,
  type Verdict,
} from '../../../domain/connector.ts';
import type { SqlTargetConfig, StatementsWork } from '../../../domain/target.ts';
import type { SqlDialect } from '../dialect.ts';
import { refuseWithoutTenant } from '../find/match-identities.ts';
import { runHalving } from '../halve.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { refuseStandby } from '../refuse-standby.ts';
import type { SqlDatabase, SqlSession } from '../session.ts';
import { bindStatement, runsOf } from './bind-statement.ts';
import { type ParsedStatement, parseStatement } from './parse-statement.ts';
import { addCounts, ROWS } from './read-counts.ts';

export interface StatementsTarget {
  preview(subjects: readonly Subject[]): Promise<Preview[]>;
  erase(orders: readonly EraseOrder[]): Promise<Erasure[]>;
  verify(orders: readonly EraseOrder[]): Promise<Verdict[]>;
}

export function createStatementsTarget({
  config,
  work,
  dialect,
  database,
}: {
  readonly config: SqlTargetConfig;
  readonly work: StatementsWork;
  readonly dialect: SqlDialect;
  readonly database: SqlDatabase;
}): StatementsTarget {
  const parse = (sql: string) => parseStatement(config.connector, sql);

  async function countRows(
    session: SqlSession,
    statement: ParsedStatement,
    subject: Subject,
  ): Promise<Record<string, number>> {
    const counts = byName<number>();
    for (const run of runsOf(config, subject)) {
      const { sql, values } = bindStatement(dialect, statement, run);
      addCounts(counts, (await session.query(sql, values)).rows, subject);
    }
    return counts;
  }

  async function changesSoFar(session: SqlSession): Promise<number> {
    const changes = await dialect.changesSoFar?.(session, []);
    return [...(changes?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  async function eraseOne(session: SqlSession, order: EraseOrder): Promise<Erasure> {
    const before = await changesSoFar(session);
    let changed = 0;
    for (const text of work.erase) {
      const statement = parse(text);
      for (const run of runsOf(config, order)) {
        const { sql, values } = bindStatement(dialect, statement, run);
        changed += (await session.query(sql, values)).changes;
      }
    }
    // Cascades and triggers count too, where the database tells.
    changed = Math.max(changed, (await changesSoFar(session)) - before);
    const expected = totalOf(order.counts);
    if (changed > expected)
      throw new NeedsDecision(
        'more_than_previewed',
        `the statements would change ${changed} rows, and the preview found ${expected}; preview again`,
      );
    if (changed === 0) return { outcome: 'erased', counts: byName() };
    return {
      outcome: 'erased',
      counts: changed === expected ? order.counts : byName([[ROWS, changed]]),
    };
  }

  function usableOf(subjects: readonly Subject[]): Subject[] {
    const { tenancy } = config;
    const parts = [work.preview, ...work.erase].flatMap(parse);
    const used = new Set<string>(
      parts.flatMap((part) => (typeof part === 'string' ? [] : [part.parameter])),
    );
    return subjects.filter(
      ({ controllerId, identities }) =>
        (tenancy.way !== 'controller' || tenancy.controllerId === controllerId) &&
        identities.some(({ type }) => used.has(type)),
    );
  }

  return {
    async preview(subjects) {
      const statement = parse(work.preview);
      const usable = usableOf(subjects);
      const previews = await runHalving(usable, (batch) =>
        database.transaction('read', async (session) => {
          const found: Preview[] = [];
          for (const subject of batch) {
            const counts = await countRows(session, statement, subject);
            found.push({
              outcome: 'found',
              counts,
              retained: byName(),
              keys: byName(),
              sharedWith: [],
            });
          }
          return found;
        }),
      );
      return subjects.map((subject) => {
        const preview = usable.includes(subject) ? previews.shift() : undefined;
        return refuseWithoutTenant(config.tenancy, subject) ?? preview ?? { outcome: 'unmatched' };
      });
    },
    async erase(orders) {
      const erasures: Erasure[] = [];
      for (const order of orders) {
        const [erasure] = await runHalving([order], () =>
          database.transaction('write', async (session) => [await eraseOne(session, order)]),
        );
        if (erasure !== undefined) erasures.push(erasure);
      }
      return erasures;
    },
    async verify(orders) {
      const statement = parse(work.verify);
      const verdicts = await runHalving(orders, (batch) =>
        database.transaction('read', async (session) => {
          await refuseStandby(dialect, session);
          const verdicts: Verdict[] = [];
          for (const order of batch) {
            const counts = await countRows(session, statement, order);
            const isGone = totalOf(counts) === 0;
            verdicts.push(
              isGone ? { outcome: 'gone', how: 'requeried' } : { outcome: 'remains', counts },
            );
          }
          return verdicts;
        }),
      );
      return verdicts.map((verdict) =>
        verdict.outcome === 'held'
          ? { outcome: 'failed', code: verdict.reason, detail: verdict.detail }
          : verdict,
      );
    },
  };
}

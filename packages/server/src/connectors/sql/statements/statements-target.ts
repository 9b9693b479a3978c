// A target with hand-written SQL. Each statement runs once for each request and pair of identities.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { byName } from '../../../domain/by-name.ts';
import {
  type Connector,
  type Counts,
  type EraseOrder,
  type Erasure,
  NO_ANSWER,
  type Preview,
  type Subject,
  totalOf,
  type Verdict,
  type VerifyingStatement,
} from '../../../domain/target/connector.ts';
import { isSearchedElsewhere } from '../../../domain/target/row-layout.ts';
import type { SqlTargetConfig, StatementsWork } from '../../../domain/target/target.ts';
import { eraseAsPreviewed, LEFT_OUT, recordCall } from '../../erase-as-previewed.ts';
import type { SqlDialect } from '../dialect.ts';
import { isLookedUpOtherwise, lookUpAgain } from '../find/lookups/look-up-again.ts';
import { refuseWithoutTenant } from '../find/tenants.ts';
import { runHalving } from '../halve.ts';
import { keepSettings } from '../keep-settings.ts';
import { refuseStandby } from '../refuse-standby.ts';
import type { SqlDatabase, SqlSession } from '../session.ts';
import type { ErasingTransactions } from '../transactions/named-transactions.ts';
import { bindStatement, type Run, runsOf } from './bind-statement.ts';
import { type ParsedStatement, parametersIn, parseStatement } from './parse-statement.ts';
import { addCounts } from './read-counts.ts';
import { refuseOtherNumbers } from './refuse-other-numbers.ts';
import { verifyingStatement } from './verifying-statement.ts';
import { type WatchedTransaction, watchTransaction } from './watch-transaction.ts';

export interface StatementsTarget {
  preview(subjects: readonly Subject[]): Promise<Preview[]>;
  readonly erase: Connector['erase'];
  verify(orders: readonly EraseOrder[]): Promise<Verdict[]>;
}

/** The call was recorded before. */
const UNRECORDED = async () => true;

interface CountedFor {
  readonly counts: Record<string, number>;
  readonly subject: Subject;
  readonly by: VerifyingStatement;
}

export function createStatementsTarget({
  config,
  work,
  dialect,
  database,
  transactions,
  isUsable,
}: {
  readonly config: SqlTargetConfig;
  readonly work: StatementsWork;
  readonly dialect: SqlDialect;
  readonly database: SqlDatabase;
  readonly transactions: ErasingTransactions;
  /** Whether its check finds no problem. */
  readonly isUsable: () => Promise<boolean>;
}): StatementsTarget {
  const parse = (sql: string) => parseStatement(config.connector, sql);
  const verifying = verifyingStatement(work);

  async function countRun(
    session: SqlSession,
    statement: ParsedStatement,
    run: Run,
    { counts, subject, by }: CountedFor,
  ): Promise<void> {
    const { sql, values } = bindStatement(dialect, statement, run);
    addCounts(counts, await session.query(sql, values), subject, by);
  }

  async function countRows(
    session: SqlSession,
    statement: ParsedStatement,
    subject: Subject,
    by: VerifyingStatement,
  ): Promise<Counts> {
    const counts = byName<number>();
    for (const run of runsOf(config, subject))
      await countRun(session, statement, run, { counts, subject, by });
    return counts;
  }

  async function changesSoFar(session: SqlSession): Promise<number> {
    const changes = await dialect.changesSoFar?.(session, []);
    return [...(changes?.values() ?? [])].reduce((sum, { changes: count }) => sum + count, 0);
  }

  /**
   * Counted again right before each run's changes: rows deleted since the preview are no longer expected,
   * and a row that two pairs of identities match is there only for the first.
   */
  async function eraseOne(
    session: SqlSession,
    order: EraseOrder,
    transaction: WatchedTransaction,
  ): Promise<Erasure> {
    const [isOtherwise] = await isLookedUpOtherwise({ session, dialect, config }, [order]);
    const schemas = await dialect.readSearchPath?.(session);
    if (isOtherwise || isSearchedElsewhere(order, { schemas })) return { outcome: 'grown' };
    const preview = parse(work.preview);
    const erase = work.erase.map(parse);
    const before = await changesSoFar(session);
    const counts = byName<number>();
    let changed = 0;
    for (const run of runsOf(config, order)) {
      await countRun(session, preview, run, { counts, subject: order, by: 'sql.preview' });
      for (const statement of erase) {
        const { sql, values } = bindStatement(dialect, statement, run);
        changed += (await session.query(sql, values)).changes;
      }
    }
    // Changes by cascades and triggers count too, if the database reports them.
    changed = Math.max(changed, (await changesSoFar(session)) - before);
    const canUndo = await transaction.isOpen(session);
    refuseOtherNumbers({
      ordered: totalOf(order.counts),
      found: totalOf(counts),
      changed,
      canUndo,
    });
    // The second search uses the same statement, so it would find them too.
    const isFoundAgain =
      verifying.by === 'sql.verify' &&
      totalOf(await countRows(session, preview, order, 'sql.preview')) > 0;
    return { outcome: 'erased', counts, ...(isFoundAgain && { isFoundAgain }) };
  }

  function usableOf(subjects: readonly Subject[]): Subject[] {
    const { tenancy } = config;
    // With none of its identities, either statement counts nothing, which would look like a valid answer.
    const counting = [work.preview, work[verifying.name]]
      .map((text) => parametersIn(parse(text)))
      .filter((used) => IDENTITY_TYPES.some((type) => used.has(type)));
    return subjects.filter(
      ({ controllerId, identities }) =>
        (tenancy.way !== 'controller' || tenancy.controllerId === controllerId) &&
        counting.every((used) => identities.some(({ type }) => used.has(type))),
    );
  }

  async function previewAll(subjects: readonly Subject[]): Promise<Preview[]> {
    const statement = parse(work.preview);
    const { changed } = await lookUpAgain({ config, dialect, database }, subjects);
    const usable = usableOf(subjects).filter(({ taskNo }) => !changed.has(taskNo));
    const previews = await runHalving(usable, (batch) =>
      database.transaction('read', async (session) => {
        const found: Preview[] = [];
        const schemas = await dialect.readSearchPath?.(session);
        for (const subject of batch) {
          const counts = await countRows(session, statement, subject, 'sql.preview');
          found.push({
            outcome: 'found',
            counts,
            retained: byName(),
            keys: byName(),
            sharedWith: [],
            ...(schemas !== undefined && { schemas }),
          });
        }
        return found;
      }),
    );
    return subjects.map((subject) => {
      const preview = usable.includes(subject) ? previews.shift() : undefined;
      return (
        refuseWithoutTenant(config.tenancy, subject) ??
        changed.get(subject.taskNo) ??
        preview ?? { outcome: 'unmatched' }
      );
    });
  }

  return {
    preview: previewAll,
    erase: eraseAsPreviewed(previewAll, async (orders, record) => {
      const erasures: Erasure[] = [];
      for (const order of orders) {
        const transaction = watchTransaction(dialect);
        if (dialect.proceduresCommit && !(await recordCall([order], record))) {
          erasures.push(LEFT_OUT);
          continue;
        }
        const erase = () =>
          runHalving(
            [order],
            () =>
              transactions.run(
                [order],
                async (session) => [
                  await keepSettings(dialect, session, () =>
                    transaction.watch(session, () => eraseOne(session, order, transaction)),
                  ),
                ],
                dialect.proceduresCommit ? UNRECORDED : record,
              ),
            undefined,
            isUsable,
          );
        let [erasure] = await erase();
        // Another transaction may have committed between two statements: a real disagreement will occur
        // again.
        if (erasure?.outcome === 'held' && !transaction.hasEnded) [erasure] = await erase();
        const mayHaveErased = transaction.hasEnded;
        if (erasure?.outcome === 'held' || erasure?.outcome === 'failed')
          erasures.push({ ...erasure, mayHaveErased });
        else erasures.push(erasure ?? NO_ANSWER);
      }
      return erasures;
    }),
    async verify(orders) {
      const statement = parse(work[verifying.name]);
      return await runHalving(orders, (batch) =>
        database.transaction('read', async (session) => {
          await refuseStandby(dialect, session);
          const verdicts: Verdict[] = [];
          for (const order of batch) {
            const counts = await countRows(session, statement, order, verifying.by);
            const isGone = totalOf(counts) === 0;
            verdicts.push(
              isGone
                ? { outcome: 'gone', how: 'requeried', by: verifying.by }
                : { outcome: 'remains', counts },
            );
          }
          return verdicts;
        }),
      );
    },
  };
}

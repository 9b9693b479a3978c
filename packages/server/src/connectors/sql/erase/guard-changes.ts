// Rolls the transaction back if anything changed besides the rows that were found: rows that were added since and deleted
// by a cascade, or what a trigger writes elsewhere.
import type { TablesWork } from '../../../domain/target/target.ts';
import {
  type ChangesByTable,
  type Measured,
  OTHER_TABLES,
  type SqlDialect,
  type TableChanges,
} from '../dialect.ts';
import type { FindContext } from '../find/find-context.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { planMisfit } from '../plan/plan-misfits.ts';
import type { SqlSession } from '../session.ts';
import { firedTriggers } from './fires-trigger.ts';
import { type GuardContext, refuseUnmeasured } from './measure-changes.ts';
import type { OwnChanges } from './own-changes.ts';

interface CountedChanges {
  readonly byTable: ChangesByTable;
  /** Tables that there are; read only if there is a trigger that could drop one. */
  readonly tables: ReadonlyMap<string, string>;
}

/** What statements have done, where the database tells only the sum of rows; undefined if it is not needed. */
interface SummedChanges {
  readonly statements: Measured | undefined;
}

export type Changes = CountedChanges | SummedChanges;

export async function readChanges(
  session: SqlSession,
  dialect: SqlDialect,
  names: readonly string[],
  { triggers }: Pick<TablesWork, 'triggers'>,
): Promise<Changes> {
  if (dialect.changesSoFar === null)
    return {
      statements: triggers.length > 0 ? await dialect.measure?.statements(session) : undefined,
    };
  const byTable = await dialect.changesSoFar(session, names);
  const isNeeded = triggers.length > 0 && dialect.tablesThere !== null;
  return { byTable, tables: isNeeded ? await dialect.tablesThere(session, names) : new Map() };
}

/** How many rounds of deferred triggers are allowed. */
const MAX_ROUNDS = 100;

/** Reads the changes at the end, including those that would otherwise happen at the commit. */
export async function readAllChanges(
  session: SqlSession,
  dialect: SqlDialect,
  names: readonly string[],
  work: Pick<TablesWork, 'triggers'>,
): Promise<Changes> {
  const { beforeCounting } = dialect;
  if (beforeCounting === null) return readChanges(session, dialect, names, work);
  let before = '';
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await session.query(beforeCounting);
    const changes = await readChanges(session, dialect, names, work);
    // A trigger can defer further changes: only a round without changes shows that nothing is deferred.
    const now = 'byTable' in changes ? JSON.stringify([...changes.byTable]) : '';
    if (work.triggers.length === 0 || now === before) return changes;
    before = now;
  }
  throw more('other rows');
}

export async function refuseOtherChanges(
  context: GuardContext,
  countedBefore: Changes,
  countedAfter: Changes,
  own: OwnChanges,
): Promise<void> {
  const { session, dialect, work, plan, catalogue } = context;
  if (!('byTable' in countedBefore) || !('byTable' in countedAfter)) {
    if (dialect.measure === null || !('statements' in countedBefore)) return;
    return refuseUnmeasured(context, dialect.measure, countedBefore.statements, own);
  }
  const before = countedBefore.byTable;
  const after = countedAfter.byTable;
  for (const [id, table] of countedBefore.tables)
    if (!countedAfter.tables.has(id) && !work.cascades.includes(table)) throw dropped(table);
  const changed = [...own.tables].filter((table) => own.of(table).changes > 0);
  if (changed.length > 0 && !changed.some((table) => after.has(table)))
    throw planMisfit(
      'the server does not count changes (track_counts is off), so what cascades change would go unnoticed: set track_counts = on',
    );
  const isTriggered = firedTriggers(work, plan, catalogue).length > 0;
  for (const table of new Set([...after.keys(), ...own.tables])) {
    const all = difference(after.get(table), before.get(table));
    // An update that moves a row to another partition counts as leaving one and entering the other.
    const moving = isTriggered ? 0 : (all.arrived ?? 0);
    const seen = { ...all, changes: all.changes - moving };
    const ours = own.of(table);
    if (ours.isTriggered && seen.rows?.deleted !== ours.deleted) throw moved(table);
    const isCounted = after.get(table)?.isCounted !== false;
    if (isCounted && seen.changes === ours.changes) continue;
    if (ours.isTriggered) throw moved(table);
    // Changes of tables that no plan can name, such as the index of a full-text search.
    if (table === OTHER_TABLES && isTriggered) continue;
    if (table === OTHER_TABLES) throw more('other rows');
    // Listed because of a trigger that the operator has reviewed.
    if (work.cascades.includes(table) && isTriggered) continue;
    if (isTriggered && (await touchesOnly({ session, dialect }, table, seen, ours))) continue;
    const isNamed =
      plan.tables.some((planned) => planned.table === table) ||
      work.cascades.includes(table) ||
      work.detach?.some((detached) => detached.table === table);
    if (isCounted && seen.changes < ours.changes) throw fewer(table);
    if (isNamed) throw more(`rows of ${table}`);
    throw new NeedsDecision(
      'unplanned_change',
      `erasing also changes ${table}, which the target does not declare; list it if that is meant (cascades: [${table}]), and under "tables" too where its rows hold something of the person; reload, then release`,
    );
  }
}

/** A trigger that also changes rows that we change anyway, such as their time of change. */
async function touchesOnly(
  { session, dialect }: Pick<FindContext, 'session' | 'dialect'>,
  table: string,
  { rows }: TableChanges,
  ours: ReturnType<OwnChanges['of']>,
): Promise<boolean> {
  if (rows?.inserted !== 0 || rows.deleted !== ours.deleted || ours.rows === 0) return false;
  if (rows.touched !== undefined) return rows.touched === ours.rows;
  const written = await dialect.countWritten?.(session, table);
  return written !== undefined && written + rows.deleted === ours.rows;
}

function difference(
  after: TableChanges = { changes: 0 },
  before: TableChanges = { changes: 0 },
): TableChanges {
  const changes = after.changes - before.changes;
  const arrived = (after.arrived ?? 0) - (before.arrived ?? 0);
  const [now, then] = [after.rows, before.rows];
  if (now === undefined) return { changes, arrived };
  const touched = now.touched === undefined ? undefined : now.touched - (then?.touched ?? 0);
  return {
    changes,
    rows: {
      inserted: now.inserted - (then?.inserted ?? 0),
      deleted: now.deleted - (then?.deleted ?? 0),
      touched,
    },
    arrived,
  };
}

function fewer(table: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `a foreign key was to change rows of ${table}, and fewer were changed, so everything was rolled back: a trigger on ${table} keeps them as they are, or the key is not enforced; remove the trigger or enforce the key, then release`,
  );
}

function moved(table: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `a trigger deletes or changes rows of ${table} before they are erased, and other rows of it too, so everything was rolled back; list ${table} before the table whose trigger that is, and reload, then release`,
  );
}

function dropped(table: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `a trigger drops ${table}, or a partition of it, so everything was rolled back; change the trigger, or list the table if that is meant (cascades: [${table}]) and reload, then release`,
  );
}

function more(what: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `erasing would also change ${what} that are not this request's: a foreign key or a trigger reaches them; declare how they refer to its rows under "via", or list the trigger under "triggers" and the tables that it writes to under "cascades"; reload, then release`,
  );
}

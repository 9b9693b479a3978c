// Whatever changed in the transaction beside what was ordered rolls it back: rows that came after the
// preview and went by a cascade, or a trigger that writes elsewhere.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import {
  type ChangesByTable,
  OTHER_TABLES,
  type SqlDialect,
  type TableChanges,
} from '../dialect.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { Plan } from '../plan/plan.ts';
import { planMisfit } from '../plan/plan-misfits.ts';
import type { SqlSession } from '../session.ts';
import { firesListedTrigger } from './fires-trigger.ts';
import type { OwnChanges } from './own-changes.ts';

/** Undefined where the database does not count. */
export type Changes = ChangesByTable | undefined;

export async function readChanges(
  session: SqlSession,
  dialect: SqlDialect,
  names: readonly string[],
): Promise<Changes> {
  return dialect.changesSoFar?.(session, names);
}

export function refuseOtherChanges(
  { work, plan, catalogue }: { work: TablesWork; plan: Plan; catalogue: Catalogue },
  before: Changes,
  after: Changes,
  own: OwnChanges,
): void {
  if (after === undefined) return;
  const changed = [...own.tables].filter((table) => own.of(table).changes > 0);
  if (changed.length > 0 && !changed.some((table) => after.has(table)))
    throw planMisfit(
      'the server does not count changes, so nobody would see what cascades do: set track_counts = on',
    );
  const isTriggered = firesListedTrigger(work, plan, catalogue);
  for (const table of new Set([...after.keys(), ...own.tables])) {
    const seen = difference(after.get(table), before?.get(table));
    const ours = own.of(table);
    if (seen.changes === ours.changes) continue;
    // Of what no plan can name, such as the index of a full-text search.
    if (table === OTHER_TABLES && isTriggered) continue;
    if (table === OTHER_TABLES) throw more('other rows');
    // Listed for a trigger that the operator has looked at.
    if (work.cascades.includes(table) && isTriggered) continue;
    if (isTriggered && touchesOnly(seen, ours)) continue;
    const isNamed =
      plan.tables.some((planned) => planned.table === table) ||
      work.cascades.includes(table) ||
      work.detach?.some((detached) => detached.table === table);
    if (seen.changes < ours.changes) throw fewer(table);
    if (isNamed) throw more(`rows of ${table}`);
    throw new NeedsDecision(
      'unplanned_change',
      `erasing also changes ${table}, which the target does not declare; list it if that is meant (cascades: [${table}]), and under "tables" too where its rows hold something of the person; restart, then release`,
    );
  }
}

/** A trigger that changes, once more, rows that we change anyway, such as their time of change. */
function touchesOnly({ rows }: TableChanges, ours: ReturnType<OwnChanges['of']>): boolean {
  return rows?.inserted === 0 && rows.deleted === ours.deleted && rows.touched === ours.rows;
}

function difference(
  after: TableChanges = { changes: 0 },
  before: TableChanges = { changes: 0 },
): TableChanges {
  const changes = after.changes - before.changes;
  const [now, then] = [after.rows, before.rows];
  if (now === undefined) return { changes };
  return {
    changes,
    rows: {
      inserted: now.inserted - (then?.inserted ?? 0),
      deleted: now.deleted - (then?.deleted ?? 0),
      touched: now.touched - (then?.touched ?? 0),
    },
  };
}

function fewer(table: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `a foreign key was to change rows of ${table}, and fewer were changed, so everything was taken back: a trigger on ${table} keeps them as they are, or the key is not enforced; take the trigger away or enforce the key, then release`,
  );
}

function more(what: string): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    `erasing would also change ${what} that are not this request's: a foreign key or a trigger reaches them; declare how they refer to its rows under "via", or list the trigger under "triggers" and the tables that it writes to under "cascades"; restart, then release`,
  );
}

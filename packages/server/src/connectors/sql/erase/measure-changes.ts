// Compares the sum of rows that a transaction has changed with what is known of, where the database does not tell
// changes by table: docs/adr/0034-measured-changes.md.
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Measured, SqlDialect } from '../dialect.ts';
import type { FindContext } from '../find/find-context.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { tablesWithEffects } from '../plan/other-effects.ts';
import { firedTriggers } from './fires-trigger.ts';
import type { OwnChanges } from './own-changes.ts';

export interface GuardContext extends Pick<FindContext, 'session' | 'dialect' | 'plan' | 'config'> {
  readonly work: TablesWork;
  readonly catalogue: Catalogue;
}

type Measure = NonNullable<SqlDialect['measure']>;

/** `before`: what statements had done before the first change; undefined if no listed trigger exists. */
export async function refuseUnmeasured(
  { session, work, plan, catalogue, config }: GuardContext,
  measure: Measure,
  before: Measured | undefined,
  own: OwnChanges,
): Promise<void> {
  const fired = firedTriggers(work, plan, catalogue);
  if (fired.some((name) => Object.hasOwn(config.accept, `trigger:${name}`))) return;
  // Statements report all of their own changes.
  if (fired.length === 0 && tablesWithEffects(plan, catalogue).length === 0) return;
  const known = sumOf(own);
  if (known.changed === 0) return;
  // Read first: reading the sum writes to temporary tables on some servers.
  const now = before && (await measure.statements(session));
  const rows = await measure.rows(session);
  if (now === undefined || before === undefined || fired.length === 0) {
    if (rows < known.changed) throw fewer();
    // A foreign key that changes the key of a row deletes and inserts it.
    if (rows > known.changed + known.followed) throw more();
    return;
  }
  const isOfOthers =
    now.deleted - before.deleted > known.deleted ||
    now.updated - before.updated > known.changed - known.deleted ||
    rows < known.changed ||
    rows > known.changed + known.followed + (now.written - before.written);
  if (isOfOthers) throw untold(fired);
}

function sumOf(own: OwnChanges) {
  const tables = [...own.tables].map((table) => own.of(table));
  const sum = (of: 'changes' | 'deleted' | 'unnamed') =>
    tables.reduce((total, table) => total + table[of], 0);
  return { changed: sum('changes'), deleted: sum('deleted'), followed: sum('unnamed') };
}

function untold(fired: readonly string[]): NeedsDecision {
  const accepted = fired.map((name) => `"trigger:${name}": "…"`);
  return new NeedsDecision(
    'unplanned_change',
    `a trigger (${fired.join(', ')}) changes or deletes rows, or inserts them where there are no transactions, so everything was rolled back: this database tells only how many rows triggers insert. Read what the trigger changes, and take that over into the plan or the application; or accept it with a reason: accept: { ${accepted.join(', ')} }; reload, then release`,
  );
}

function fewer(): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    'the database has changed fewer rows than its foreign keys say, so everything was rolled back: a key is not enforced, or the server does not count changes; check the tables (CHECK TABLE), then release',
  );
}

function more(): NeedsDecision {
  return new NeedsDecision(
    'unplanned_change',
    'erasing would also change other rows that are not this request\'s: a foreign key or a trigger reaches them; declare how they refer to its rows under "via"; reload, then release',
  );
}

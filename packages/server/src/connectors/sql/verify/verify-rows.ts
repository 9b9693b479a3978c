// Searches again in a new transaction: by identities, for children of deleted rows, and by keys.
import { byName } from '../../../domain/by-name.ts';
import type {
  Counts,
  EraseOrder,
  Failed,
  KeyRow,
  Keys,
  Verdict,
} from '../../../domain/target/connector.ts';
import { orphaned } from '../../../domain/target/orphaned.ts';
import { timesOf } from '../erase/time-text.ts';
import type { FindBatch, FindContext } from '../find/find-context.ts';
import { findRows } from '../find/find-rows.ts';
import { type Findings, rowId } from '../find/found-rows.ts';
import { tenantOf } from '../find/tenants.ts';
import { runHalvingBeside } from '../halve.ts';
import type { Plan, PlannedTable } from '../plan/plan.ts';
import { refuseStandby } from '../refuse-standby.ts';
import { runReadable } from '../run-readable.ts';
import type { TablesTarget } from '../tables-target.ts';
import { findAttached } from './attached-rows.ts';
import { countStaying, ownRows } from './count-staying.ts';
import { fitsLayout } from './fits-layout.ts';
import { fatesOf } from './missing-rows.ts';
import { RowSet } from './row-set.ts';

export async function verifyRows(
  target: TablesTarget,
  orders: readonly EraseOrder[],
): Promise<Verdict[]> {
  const run = (batch: readonly EraseOrder[]) =>
    target.read(async (context) => {
      const [verdicts] = await Promise.all([
        verifyBatch(context, batch),
        refuseStandby(target.dialect, context.session),
      ]);
      return verdicts;
    });
  return runHalvingBeside(target.database, orders, run, (order, failure) =>
    runReadable(target, order, failure, run),
  );
}

const OTHER_LAYOUT: Failed = {
  outcome: 'failed',
  code: 'plan_changed',
  detail: 'the tables have changed since the rows were erased; they are verified again',
};

async function verifyBatch(look: FindContext, orders: readonly EraseOrder[]): Promise<Verdict[]> {
  const context = { ...look, times: timesOf(orders) };
  const { plan, config } = context;
  const tenants = orders.map((order) => tenantOf(config.tenancy, order));
  const batch: FindBatch = { ...context, subjects: orders, tenants, isErasing: false };
  const fits = orders.map((order) => fitsLayout(plan.erased, order));
  const orphans = orders.map(() => new RowSet());
  // A row that belongs to another person by now has its children with it: only deleted rows still identify
  // theirs.
  const known = orders.map(() => byName<readonly KeyRow[]>());
  const lookAt = async (table: PlannedTable): Promise<void> => {
    const rowsOf = (pick: (order: EraseOrder) => readonly (Keys | undefined)[]) =>
      orders.map((order, place) =>
        fits[place] ? pick(order).flatMap((rows) => rows?.[table.name] ?? []) : [],
      );
    const now = rowsOf(({ keys }) => [keys]);
    const before = rowsOf(({ gone }) => [gone]);
    const elsewhere = rowsOf(({ goneElsewhere }) => [goneElsewhere]);
    const ordered = now.map((rows, place) => [...rows, ...(before[place] ?? [])]);
    const keyed = elsewhere.map((rows) => rows.filter((values) => hasKey(table, values)));
    const all = [...ordered, ...elsewhere].flat();
    if (all.length === 0 || isFoundByParent(plan, table)) return;
    // Rows that earlier attempts overwrote have the times of those attempts.
    const earlier = [...before, ...keyed].flat();
    const fates = await fatesOf({ ...batch, times: 'any' }, table, earlier);
    const fatesNow = await fatesOf(batch, table, now.flat());
    if (fates.size > 0) for (const values of now.flat()) fates.delete(rowId(table, values));
    for (const [id, fate] of fatesNow) fates.set(id, fate);
    const fateOf = (values: KeyRow) =>
      fates.size === 0 ? undefined : fates.get(rowId(table, values));
    elsewhere.forEach((rows, place) => {
      const own = known[place];
      // Rows that another plan overwrote still exist, as that plan left them.
      if (own !== undefined && rows.length > 0)
        own[table.name] = rows.filter(
          (values) => !hasKey(table, values) || fateOf(values) !== 'left',
        );
    });
    ordered.forEach((rows, place) => {
      const own = known[place];
      if (own !== undefined)
        own[table.name] = [
          ...(own[table.name] ?? []),
          ...rows.filter((values) => fateOf(values) === undefined),
        ];
      for (const values of rows)
        if (fateOf(values) === 'orphaned') orphans[place]?.add(table, values);
    });
  };
  // A row that was meant to stay, and has lost its own reference: rows found through it still belong to the
  // person.
  const lookAtRetained = async (table: PlannedTable): Promise<void> => {
    const rows = orders.map(({ retained }) => ownRows(table, retained));
    // Deleted by an attempt under another plan.
    const before = orders.map(({ goneElsewhere }) => goneElsewhere?.[table.name] ?? []);
    const asked = [...rows, ...before].flat();
    if (asked.length === 0 || !isParent(plan, table)) return;
    const keyed = asked.filter((values) => hasKey(table, values));
    const fates = await fatesOf(batch, table, keyed);
    rows.forEach((own, place) => {
      const loose = [
        ...own.filter((values) => fates.get(rowId(table, values)) === 'orphaned'),
        ...(before[place] ?? []).filter(
          (values) => !hasKey(table, values) || !fates.has(rowId(table, values)),
        ),
      ];
      const knownHere = known[place];
      if (knownHere !== undefined && loose.length > 0) knownHere[table.name] = loose;
    });
  };
  const retained = plan.tables.filter(({ action }) => action.kind === 'retain');
  // Run in parallel: they do not depend on each other.
  const [stays] = await Promise.all([
    countStaying(batch, orders),
    ...plan.erased.map(lookAt),
    ...retained.map(lookAtRetained),
  ]);
  // No detached row may still refer to deleted rows.
  const attached = orders.map(() => new Map<string, number>());
  for (const foreign of plan.references.filter(({ detachedBy }) => detachedBy !== null)) {
    const { name } = foreign.table;
    const rowsOf = (entry: string, place: number) => known[place]?.[entry] ?? [];
    for (const { place } of await findAttached(batch, foreign, rowsOf))
      attached[place]?.set(name, (attached[place]?.get(name) ?? 0) + 1);
  }
  const findings = await findRows(context, orders, { known });
  const remains = remainingRows(plan, orders.length, findings);
  // Found only as children of deleted rows: no other attempt would find them.
  if (remains.some(({ isEmpty }) => !isEmpty)) {
    const byIdentity = remainingRows(plan, orders.length, await findRows(context, orders));
    remains.forEach((rows, place) => {
      for (const [table, values] of rows.takeOthersThan(byIdentity[place]))
        orphans[place]?.add(table, values);
    });
  }
  for (const [place, { kept }] of orders.entries()) orphans[place]?.remove(plan.erased, kept);
  return remains.map((rows, place): Verdict => {
    const held = findings.holds.get(place);
    if (held !== undefined) return held;
    if (!fits[place]) return OTHER_LAYOUT;
    if (!rows.isEmpty) return { outcome: 'remains', counts: rows.counts() };
    const referring = attached[place] ?? new Map();
    if (referring.size > 0) return { outcome: 'remains', counts: byName([...referring]) };
    const [orphan] = Object.keys(orphans[place]?.counts() ?? {});
    if (orphan !== undefined) return orphaned(orphan);
    const unnamed = countUnnamedRetained(plan, place, findings);
    return {
      outcome: 'gone',
      how: 'requeried',
      ...stays[place],
      ...(Object.keys(unnamed).length > 0 && { unnamedRetained: unnamed }),
    };
  });
}

/** For tables without a unique key: how many rows of the person exist. */
function countUnnamedRetained({ tables }: Plan, place: number, findings: Findings): Counts {
  return byName(
    tables
      .filter(({ action, isUnnamed }) => action.kind === 'retain' && isUnnamed)
      .map(({ name }): [string, number] => {
        const rows = [...(findings.tables.get(name)?.values() ?? [])];
        const own = rows.filter(({ owners }) => owners.includes(place));
        return [name, own.reduce((sum, { times = 1 }) => sum + times, 0)];
      }),
  );
}

function remainingRows({ erased }: Plan, subjects: number, { tables }: Findings): RowSet[] {
  const remains = Array.from({ length: subjects }, () => new RowSet());
  for (const table of erased) {
    for (const { values, owners, kept, isDone } of tables.get(table.name)?.values() ?? []) {
      if (isDone) continue;
      for (const place of owners) if (!kept?.includes(place)) remains[place]?.add(table, values);
    }
  }
  return remains;
}

/** For a row that was deleted under another plan, the current key may be unknown. */
function hasKey({ keySize }: PlannedTable, values: KeyRow): boolean {
  return !values.slice(0, keySize).includes(null);
}

/**
 * Whether a row with an ordered key refers to an ordered parent: it is found among the children of that
 * parent, and need not be searched for by its key too.
 */
function isFoundByParent(plan: Plan, table: PlannedTable): boolean {
  const [via] = table.vias;
  if (via === undefined || table.hasSeveralOwners) return false;
  const key = new Set(table.columns.slice(0, table.keySize).map(({ name }) => name));
  const isKnown = via.entries.every(
    (parent) => plan.erased.find(({ name }) => name === parent)?.action.kind === 'delete',
  );
  return isKnown && !isParent(plan, table) && via.columns.every(({ name }) => key.has(name));
}

function isParent({ tables }: Plan, { name }: PlannedTable): boolean {
  return tables.some(({ vias }) => vias.some(({ entries }) => entries.includes(name)));
}

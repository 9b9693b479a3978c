// Decides about references to rows that are deleted. If the referring row is deleted too, the order takes care
// of it; if it stays, the reference becomes NULL if the operator allows it. All other cases are held for an
// operator.
import { byName } from '../../../domain/by-name.ts';
import type { Counts, KeyRow } from '../../../domain/target/connector.ts';
import type { DetachedRows } from '../../../domain/target/row-layout.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { Plan, PlannedReference, PlannedTable } from '../plan/plan.ts';
import { changedMeanwhile } from '../session.ts';
import type { FindBatch } from './find-context.ts';
import { findReferring, type ReferringRow, type RowsThatGo } from './find-referring.ts';
import { rowId } from './found-rows.ts';
import { createLostColumns, inOrderOfRelease } from './lost-columns.ts';

export interface DecidedReferences {
  /** For each subject: rows that stay and lose their reference. */
  readonly detached: readonly Detached[];
  /** Changes that the database will make by itself, by table, one for each reference. */
  readonly changes: ReadonlyMap<string, number>;
  /** Ids of the referring rows, by table. */
  readonly referring: ReadonlyMap<string, ReadonlySet<string>>;
  /** References that change. */
  readonly released: readonly ReleasedReferences[];
}

export interface Detached {
  /** Counts by table, each row once. */
  readonly counts: Counts;
  /** The rows that have keys; a row may occur for several references. */
  readonly rows: readonly DetachedRows[];
}

export interface ReleasedReferences {
  readonly foreign: PlannedReference;
  /** The values that the rows refer to, and how many rows there are for each. */
  readonly references: readonly { readonly reference: KeyRow; readonly rows: number }[];
}

/** `asked`: the plan's references that have to be checked. */
export async function decideReferences(
  batch: FindBatch,
  asked: readonly PlannedReference[],
  rowsOf: RowsThatGo,
): Promise<DecidedReferences> {
  const detached = batch.subjects.map(() => createDetached());
  const changes = new Map<string, number>();
  const referring = new Map<string, Set<string>>();
  const released: ReleasedReferences[] = [];
  const lost = createLostColumns();
  for (const foreign of inOrderOfRelease(batch.plan, asked)) {
    const going = rowsGoing(batch, foreign, rowsOf);
    const references = new Map<string, { reference: KeyRow; rows: number }>();
    const found = await findReferring(batch, foreign, rowsOf);
    const isFree = lost.of(foreign);
    if (found.some(({ id }) => !going.has(id))) await refuseAdded(batch, foreign, rowsOf, found);
    for (const { id, key, reference, place, isOfOtherTenant } of found) {
      // A row that is overwritten before its parent is deleted no longer refers to it.
      const own = going.get(id);
      const isGone = own?.action.kind === 'delete' || isOverwritten(own, foreign);
      if (!isGone) {
        if (foreign.detachedBy === null) throw wouldReach(foreign, batch.isErasing);
        if (isOfOtherTenant) throw anotherTenants(foreign);
        // Rows that are overwritten are counted as overwritten.
        if (own === undefined) detached[place]?.add(foreign, id, key);
      }
      referring.set(foreign.table.name, (referring.get(foreign.table.name) ?? new Set()).add(id));
      if (own?.action.kind === 'delete' && goesFirst(own)) continue;
      const isNulled = foreign.nulled.length > 0;
      const isChanged = (isGone ? foreign.release : foreign.detachedBy) === 'database';
      if ((!isChanged && !isNulled) || isFree(id)) continue;
      lost.add(foreign, id);
      if (!isNulled) changes.set(foreign.table.name, (changes.get(foreign.table.name) ?? 0) + 1);
      const text = JSON.stringify(reference);
      const before = references.get(text)?.rows ?? 0;
      references.set(text, { reference, rows: before + 1 });
    }
    if (references.size > 0) released.push({ foreign, references: [...references.values()] });
  }
  return {
    detached: detached.map((one) => one.read()),
    changes,
    referring,
    released,
  };
}

/** The part of the result for a preview or an erasure; empty if no rows are detached. */
export function saidOf(detached: Detached | undefined) {
  if (detached === undefined || Object.keys(detached.counts).length === 0) return {};
  const { counts, rows } = detached;
  return { detached: counts, ...(rows.length > 0 && { detachedRows: rows }) };
}

/** Collects the detached rows of one subject. */
function createDetached() {
  const rows = new Map<PlannedReference, { readonly key: KeyRow; readonly id: string }[]>();
  return {
    add(foreign: PlannedReference, id: string, key: KeyRow): void {
      const own = rows.get(foreign) ?? [];
      own.push({ id, key });
      rows.set(foreign, own);
    },
    read(): Detached {
      const tables = new Map<string, Map<string, number>>();
      for (const [{ table }, own] of rows) {
        const ids = tables.get(table.name) ?? new Map<string, number>();
        // In a table without a unique key, equal rows have the same id.
        for (const [id, equal] of Map.groupBy(own, (row) => row.id))
          ids.set(id, Math.max(ids.get(id) ?? 0, equal.length));
        tables.set(table.name, ids);
      }
      return {
        counts: byName(
          [...tables].map(([name, ids]) => [name, [...ids.values()].reduce((a, b) => a + b, 0)]),
        ),
        rows: [...rows]
          .filter(([{ table }]) => !table.isUnnamed)
          .map(([{ table, columns, nulled, detachedBy }, own]) => ({
            table: table.name,
            columns: table.columns.slice(0, table.keySize).map(({ name }) => name),
            nulled: (detachedBy === 'update' ? nulled : columns).map(({ name }) => name),
            rows: own.map(({ key }) => key),
          })),
      };
    },
  };
}

/**
 * Rows that are read with a lock may have been added since the plan's own rows were searched for. They may be the
 * person's: without their reference nothing would find them again.
 */
async function refuseAdded(
  batch: FindBatch,
  foreign: PlannedReference,
  rowsOf: RowsThatGo,
  found: readonly ReferringRow[],
): Promise<void> {
  const { plan, dialect, isErasing } = batch;
  if (!isErasing || dialect.forUpdate === '') return;
  if (!plan.tables.some(({ table }) => table === foreign.table.name)) return;
  // Searched for once more, without waiting: see `ReferredMeanwhile`.
  if (foreign.isFoundByVia && foreign.detachedBy === null) return;
  const before = await findReferring({ ...batch, isErasing: false }, foreign, rowsOf);
  const known = new Set(before.map(({ id }) => id));
  if (found.some(({ id }) => !known.has(id))) throw changedMeanwhile();
}

/** Rows of the table that are deleted or overwritten, by id, with the entry that finds them. */
function rowsGoing(
  { plan, subjects }: FindBatch,
  { table }: PlannedReference,
  rowsOf: RowsThatGo,
): Map<string, PlannedTable> {
  const going = new Map<string, PlannedTable>();
  for (const entry of plan.erased) {
    if (entry.table !== table.name) continue;
    for (const place of subjects.keys())
      for (const values of rowsOf(entry.name, place)) going.set(rowId(entry, values), entry);
  }
  return going;
}

function isOverwritten(table: PlannedTable | undefined, { columns }: PlannedReference): boolean {
  return columns.some(({ name }) => table?.overwritten.has(name));
}

/**
 * A row without a key is identified by its physical place or by all of its values, and any change may move it, even
 * that of a reference. It is deleted before references change: nothing refers to its table.
 */
export const goesFirst = ({ isUnnamed }: PlannedTable): boolean => isUnnamed;

/** The references for which the plan may not find all referring rows, or which have to be counted. */
export function askedBefore({ references }: Plan): PlannedReference[] {
  return references.filter(({ isFoundByVia, release }) => !isFoundByVia || release !== null);
}

const EFFECTS = {
  cascade: 'would be deleted with it',
  set_null: 'would lose its reference',
  set_default: 'would get another reference',
  no_action: 'keeps it from being deleted',
  restrict: 'keeps it from being deleted',
} as const;

/**
 * The plan finds all referring rows, but not this one: another transaction may have added it meanwhile, so the search
 * is repeated once.
 */
export class ReferredMeanwhile extends NeedsDecision {}

function wouldReach(foreign: PlannedReference, isErasing: boolean): NeedsDecision {
  const { table, columns, parent, key, onDelete } = foreign;
  const names = columns.map(({ name }) => name).join(', ');
  const ways = [
    ...columns
      .filter(({ isNullable, isGenerated }) => isNullable && !isGenerated)
      .filter(({ name }) => !table.columns.slice(0, table.keySize).some((key) => key.name === name))
      .slice(0, 1)
      .map(({ name }) => `let the reference become NULL: detach: [${table.name}.${name}]`),
    // A reply is not the row of the post's author: `via` to the table itself is refused.
    ...(table.name === parent
      ? []
      : [
          `declare how ${table.name} refers to ${parent} under "via" if such rows are the person's (rows outside its "where" are not)`,
        ]),
    `overwrite ${parent} instead of deleting`,
  ];
  const Problem = isErasing && foreign.isFoundByVia ? ReferredMeanwhile : NeedsDecision;
  return new Problem(
    'unplanned_change',
    `a row of ${table.name} that stays refers by ${names} to a row of ${parent} that would be deleted, and ${EFFECTS[onDelete]} (foreign key ${key}); ${ways.join(', or ')}; reload, then release`,
  );
}

function anotherTenants({ table, columns, parent }: PlannedReference): NeedsDecision {
  const names = columns.map(({ name }) => name).join(', ');
  return new NeedsDecision(
    'tenant_mismatch',
    `a row of ${table.name} that is another tenant's refers by ${names} to a row of ${parent} that would be deleted; correct the row, then release, or retain the task`,
  );
}

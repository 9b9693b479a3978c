// Finds rows that refer to rows of the subjects, and whose tenant, if they have one, is the subject's.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Bind, Selected } from '../dialect.ts';
import type { PlannedTable, PlannedVia } from '../plan/plan.ts';
import { tellsTenant } from '../plan/tenant-column.ts';
import { selectList, selectRows } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { inChunks, runStatement, textAt } from '../statement.ts';
import { type FindBatch, sizeFor } from './find-context.ts';
import { canGroup, groupedSql, ungroup } from './find-grouped.ts';
import type { FoundRow } from './found-rows.ts';
import { joinParents } from './join-parents.ts';
import type { ParentReferences, ReferredTo } from './parent-references.ts';
import { tenantsOf } from './read-parents.ts';
import {
  ambiguous,
  amongReferences,
  findsWhole,
  isByText,
  isSpeltOtherwise,
  mayBeSpelt,
  referenceKey,
} from './reference-keys.ts';
import { type Tenants, whoseOf } from './row-tenants.ts';
import { readKeys, readReference, selectKeys } from './row-ways.ts';
import { isTaken, isTenant, refuseSpelt, selectTaken } from './tenants.ts';
import { isInside, selectWhere, whereSql } from './where-rows.ts';

export interface Child extends FoundRow {
  readonly row: SqlRow;
  /** In the parent's spelling. */
  readonly reference: KeyRow;
}

export interface ChildSearch {
  readonly table: PlannedTable;
  /** The position of the reference among those of the table. */
  readonly way: number;
  readonly via: PlannedVia;
  readonly parents: ParentReferences;
  /** Read with each row: at least the reference, and the tenant if there is one. */
  readonly select: readonly Selected[];
  /** Appended to the statement. */
  readonly tail: string;
}

/** `onMismatch`: called if a row is found by a unique key, and has another tenant or none. */
export async function* findChildren(
  batch: FindBatch,
  search: ChildSearch,
  onMismatch: (place: number) => void,
): AsyncGenerator<Child> {
  const { dialect } = batch;
  const { table, via, parents } = search;
  const select = [
    ...search.select,
    ...selectWhere(dialect, table),
    ...(table.tenant !== null && (!via.namesOneRow || via.isOfAllTenants)
      ? [selectTaken(dialect, table.tenant, batch.tenants)]
      : []),
  ];
  const references = [...parents.values()].map(({ reference }) => reference);
  for (const chunk of inChunks(references, sizeFor(dialect, via.columns.length))) {
    const found = await findOwned(batch, { ...search, select }, chunk);
    const owned = found.filter((one) => one.to !== undefined);
    const tenants = tellsTenant(table) ? await tenantsOf(batch, table, owned.map(rowOf)) : [];
    for (const [at, { row, to }] of owned.entries()) {
      if (to === undefined) continue;
      // Rows that the database would delete with a kept row stay too, regardless of their owner.
      const staying = table.isCascaded ? to.kept : [];
      const going = to.owners.filter((place) => !staying.includes(place));
      const owners = going.filter((place) =>
        hasTenant(batch, search, { row, tenants: tenants[at] }, place, onMismatch),
      );
      if (owners.length > 0)
        yield {
          row,
          values: readKeys(table, row),
          owners,
          reference: to.reference,
          ...keptOf(to, owners),
        };
    }
  }
}

const rowOf = ({ row }: { readonly row: SqlRow }) => row;

async function findOwned(
  batch: FindBatch,
  search: ChildSearch,
  chunk: readonly KeyRow[],
): Promise<{ row: SqlRow; to: ReferredTo | undefined }[]> {
  const { table, via } = search;
  if (via.joined !== null) return joinToParents(batch, search, chunk);
  const owned = await findReferringTo(batch, search, chunk);
  if (!isByText(via) || !owned.some((one) => isStray(batch, search, one, chunk))) return owned;
  // The database treats different values as equal: that counts only if a foreign key does; otherwise the
  // request is held.
  if (via.isTakenForEqual) return joinToParents(batch, search, chunk);
  if (findsWhole(via, chunk.length)) throw ambiguous(via, table.name);
  for (const reference of chunk) await findOwned(batch, search, [reference]);
  return owned;
}

/** Found with other values than those of our rows. A text that is not a number equals none. */
function isStray(
  { dialect }: FindBatch,
  { table, way, via }: ChildSearch,
  { row, to }: { row: SqlRow; to: ReferredTo | undefined },
  chunk: readonly KeyRow[],
): boolean {
  if (to !== undefined) return false;
  const reference = readReference(table, way, row);
  return (
    referenceKey(dialect, via, reference, 'child') !== undefined &&
    mayBeSpelt(dialect, via, reference, 'child', chunk)
  );
}

async function findReferringTo(
  batch: FindBatch,
  search: ChildSearch,
  chunk: readonly KeyRow[],
): Promise<{ row: SqlRow; to: ReferredTo | undefined }[]> {
  const { dialect, session } = batch;
  const { table, via, select, tail } = search;
  const rows = await selectRows(session, dialect, select, (list, bind) => {
    const where = whereSql(dialect, table, bind);
    const among = amongReferences(dialect, via, chunk, bind);
    return `SELECT ${list} FROM ${table.sqlName} WHERE ${where}${among}${tail}`;
  });
  return rows
    .filter((row) => isInside(table, row) && canBeOurs(batch, search, row))
    .map((row) => ({ row, to: parentOf(batch, search, row) }));
}

/**
 * If the tenant is part of the reference, a row of another tenant refers to none of ours, however it is
 * written.
 */
function canBeOurs(
  { tenants }: FindBatch,
  { table: { tenant }, via }: ChildSearch,
  row: SqlRow,
): boolean {
  if (tenant === null || via.namesOneRow || textAt(row, 't') === null) return true;
  return isTaken(row) || tenants.some((own) => isTenant(tenant, textAt(row, 't'), own));
}

function parentOf(
  { dialect }: FindBatch,
  { table, way, via, parents }: ChildSearch,
  row: SqlRow,
): ReferredTo | undefined {
  const reference = readReference(table, way, row);
  const key = referenceKey(dialect, via, reference, 'child');
  const to = key === undefined ? undefined : parents.get(key.key);
  if (to === undefined) return undefined;
  if (to.isOdd || key?.isOdd || isSpeltOtherwise(via, to.reference, reference))
    throw ambiguous(via, table.name);
  return to;
}

export function keptOf(
  { kept }: ReferredTo,
  owners: readonly number[],
): { kept?: readonly number[] } {
  if (kept.length === 0) return {};
  const own = kept.filter((place) => owners.includes(place));
  return own.length === 0 ? {} : { kept: own };
}

function hasTenant(
  { config, tenants }: FindBatch,
  { table, via }: ChildSearch,
  { row, tenants: all }: { readonly row: SqlRow; readonly tenants: Tenants | undefined },
  place: number,
  onMismatch: (place: number) => void,
): boolean {
  if (all === undefined) return true;
  const whose = whoseOf(all, tenants[place]);
  if (whose === 'own') return true;
  if (isTaken(row)) refuseSpelt(config.tenancy, tenants, table, row);
  // If the reference identifies a row only together with the tenant, it is another tenant's reference, not
  // ours.
  if (whose === 'both' || (via.namesOneRow && (!via.isOfAllTenants || whose === 'nobodys')))
    onMismatch(place);
  return false;
}

/** Returns each row with the parent to which the database itself joins it. */
async function joinToParents(
  batch: FindBatch,
  children: ChildSearch,
  chunk: readonly KeyRow[],
): Promise<{ row: SqlRow; to: ReferredTo | undefined }[]> {
  const { dialect, plan } = batch;
  const { table, via, parents, select, tail } = children;
  const parent = plan.tables.find(({ name }) => via.entries.includes(name))?.sqlName ?? '';
  const where = (bind: Bind) => whereSql(dialect, table, bind);
  const search = { via, child: table.sqlName, parent, select, where, tail };
  const joined = await joinParents(batch, search, chunk);
  return joined
    .filter(({ row }) => isInside(table, row) && canBeOurs(batch, children, row))
    .map(({ row, reference }) => {
      const key = referenceKey(dialect, via, reference, 'parent');
      const to = key === undefined ? undefined : parents.get(key.key);
      if (to?.isOdd) throw ambiguous(via, table.name);
      return { row, to };
    });
}

/** The fast path; undefined if it cannot be used. */
export async function findChildrenGrouped(
  { session, dialect }: FindBatch,
  { table, via, parents, tail }: ChildSearch,
): Promise<FoundRow[] | undefined> {
  if (!canGroup(dialect, table, via)) return undefined;
  const found: FoundRow[] = [];
  const references = [...parents.values()].map(({ reference }) => reference);
  const select = [
    ...selectKeys(dialect, table),
    ...via.columns.map((column) => ({ sql: dialect.readKey(column), name: 'f0', isPlain: true })),
  ];
  for (const chunk of inChunks(references, sizeFor(dialect, 1))) {
    const { rows } = await runStatement(session, dialect, (bind) => {
      const among = dialect.amongKeys(via.columns, chunk, bind);
      const list = selectList(select, bind);
      return groupedSql(`SELECT ${list} FROM ${table.sqlName} WHERE ${among}${tail}`, select);
    });
    for (const row of rows) {
      const to = parents.get(textAt(row, 'f0') ?? '');
      if (to === undefined) throw ambiguous(via, table.name);
      const { owners } = to;
      const kept = keptOf(to, owners);
      for (const values of ungroup(table, row)) found.push({ values, owners, ...kept });
    }
  }
  return found;
}

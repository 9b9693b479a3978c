// Rows that may belong to several people: decides whether a person outside the request is among them, and
// applies what the plan says about that. In doubt, a row counts as another person's too.
import type { Held, KeyRow } from '../../../domain/target/connector.ts';
import { canonicalUuid } from '../canonical-value.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable, PlannedVia } from '../plan/plan.ts';
import { tellsTenant } from '../plan/tenant-column.ts';
import type { FindBatch } from './find-context.ts';
import { type FoundRow, type RowsOfTable, rowId, union } from './found-rows.ts';
import { matchText, namesNobody, storedTexts } from './match-identities.ts';
import { isMatchedPlaceholder } from './own-placeholder.ts';
import type { ParentReferences } from './parent-references.ts';
import { type ParentRow, readParents } from './read-parents.ts';
import { referenceKey } from './reference-keys.ts';
import type { RowWays } from './row-ways.ts';
import { isShared, ofUnknownTenant, otherTenant } from './shared-holds.ts';

export interface RowWithWays extends FoundRow {
  readonly ways: RowWays;
}

export interface SharedDecision {
  readonly rows: RowsOfTable;
  readonly holds: ReadonlyMap<number, Held>;
}

interface FoundInTable {
  readonly rows: ReadonlyMap<string | number, RowWithWays>;
  /** For each reference of the table, the values by which the subjects' rows are referred to. */
  readonly parentsOf: readonly ParentReferences[];
  /** The subjects' rows of a table, including those that are only known from earlier. */
  rowsOf(table: string): Iterable<FoundRow>;
  /** Entries whose rows do not count as ties yet, because their owners are not known. */
  readonly undecided: readonly string[];
}

export async function decideShared(
  batch: FindBatch,
  table: PlannedTable,
  { rows, parentsOf, rowsOf, undecided }: FoundInTable,
): Promise<SharedDecision> {
  const others = await readOthers(batch, table, rows, parentsOf);
  const owners = ownersById(batch, table, others, rowsOf);
  const decided: RowsOfTable = new Map();
  const mayHarm = mayErase(batch, table);
  const holds = new Map<number, Held>();

  function tiesOf(row: RowWithWays, place: number): Ties {
    const ties: Ties = { isOwn: false, isOutside: false, isBeyond: false, isOfOtherTenant: false };
    const leave = (isBeyond: boolean) => {
      ties.isOutside = true;
      if (isBeyond) ties.isBeyond = true;
    };
    table.matches.forEach((match, way) => {
      for (const text of row.ways.matched[way] ?? []) {
        if (namesNobody(text)) continue;
        if (isIdentity(batch, place, match, text)) ties.isOwn = true;
        // The other person was erased, or another column of the row has the same person.
        else if (!isMatchedPlaceholder(batch.plan, table, match, text)) leave(true);
      }
    });
    table.vias.forEach((via, way) => {
      const key = keyOf(batch, table, row, way);
      if (key === undefined) {
        if (!isNull(row.ways.references[way])) leave(true);
        return;
      }
      const to = parentsOf[way]?.get(key);
      const isMine = to?.owners.includes(place) === true;
      if (isMine && !to.kept.includes(place)) ties.isOwn = true;
      // In a reverse reference, a value that no row has does not tie the row to anyone.
      else if (!via.isReverse) leave(to === undefined || !isLost(batch, table, via, to));
      for (const parent of others[way]?.get(key) ?? []) {
        const theirs = owners[way]?.get(parent.id) ?? [];
        if (theirs.includes(place)) continue;
        if (parent.entry !== undefined && undecided.includes(parent.entry)) continue;
        // With a unique key there is only one such row, and it is the subject's.
        if (isMine && via.uniqueness !== 'none') continue;
        const isOther = isTiedToOtherTenant(batch, table, via, parent, place);
        if (mayBeOfOther(batch, table, parent)) ties.uncovered = via.parent;
        // The tenant is part of the reference: it cannot lead to a row of another tenant.
        if (isOther && via.uniqueness !== 'alone' && comparesTenant(batch, table, via)) continue;
        leave(theirs.length === 0);
        if (isOther) ties.isOfOtherTenant = true;
      }
    });
    return ties;
  }

  for (const [id, row] of rows) {
    const kept: number[] = [];
    const all = row.owners.map((place) => tiesOf(row, place));
    // They are erased one after the other: the row is deleted with the last of them.
    if (batch.isErasing && table.shared === 'keep' && all.every(isSharedBeside))
      throw new NeedsDecision('shared', `of ${table.name}`);
    for (const [at, place] of row.owners.entries()) {
      const ties = all[at];
      if (ties === undefined) continue;
      if (ties.isOfOtherTenant) holds.set(place, otherTenant(table));
      else if (ties.uncovered !== undefined)
        holds.set(place, ofUnknownTenant(table, ties.uncovered));
      else if (!ties.isOwn) kept.push(place);
      else if (ties.isOutside && table.shared === 'hold') {
        if (mayHarm && !holds.has(place)) holds.set(place, isShared(table));
      } else if (ties.isOutside && table.shared === 'keep') kept.push(place);
    }
    decided.set(id, { values: row.values, owners: row.owners, ...(kept.length > 0 && { kept }) });
  }
  return { rows: decided, holds };
}

/** Whether anything is erased because of its rows: the rows themselves, or rows that refer to them. */
function mayErase({ plan }: FindBatch, { name, action }: PlannedTable): boolean {
  return (
    action.kind !== 'retain' ||
    plan.tables.some(({ vias }) => vias.some(({ entries }) => entries.includes(name)))
  );
}

interface Ties {
  isOwn: boolean;
  isOutside: boolean;
  /** Tied to a person who is not a subject of the batch. */
  isBeyond: boolean;
  isOfOtherTenant: boolean;
  /** A table in which no entry covers a row that this one refers to: its tenant cannot be determined. */
  uncovered?: string;
}

/** Whether the parent is another subject's, and the reference to it becomes NULL when it is deleted. */
function isLost(
  { plan }: FindBatch,
  { name }: PlannedTable,
  { parent, columns }: PlannedVia,
  { owners, kept }: Pick<Required<FoundRow>, 'owners' | 'kept'>,
): boolean {
  const isSame = (other: readonly { readonly name: string }[]) =>
    other.length === columns.length && other.every((one, at) => one.name === columns[at]?.name);
  return (
    owners.some((place) => !kept.includes(place)) &&
    plan.references.some(
      (one) =>
        one.table.name === name &&
        one.entries.includes(parent) &&
        one.detachedBy !== null &&
        isSame(one.columns),
    )
  );
}

/** Shared only with other subjects of the batch, whose rows are being erased too. */
function isSharedBeside({ isOwn, isOutside, isBeyond, ...ties }: Ties): boolean {
  return isOwn && isOutside && !isBeyond && !ties.isOfOtherTenant && ties.uncovered === undefined;
}

function isIdentity(
  { subjects }: FindBatch,
  place: number,
  match: PlannedTable['matches'][number],
  text: string,
): boolean {
  const wanted = storedTexts(match, text);
  return (subjects[place]?.identities ?? []).some(
    (identity) =>
      identity.type === match.type && wanted.includes(matchText(match, identity.reveal())),
  );
}

function keyOf(
  { dialect }: FindBatch,
  { vias }: PlannedTable,
  { ways }: RowWithWays,
  way: number,
): string | undefined {
  const via = vias[way];
  const reference = ways.references[way];
  if (via === undefined || reference === undefined) return undefined;
  return referenceKey(dialect, via, reference, 'child')?.key;
}

/**
 * NULL in any column means that there is no reference. A value that can equal no parent is a reference
 * without an owner.
 */
function isNull(reference: KeyRow | undefined): boolean {
  return reference === undefined || reference.some((value) => value === null);
}

/** Reads the rows that are referred to, for each reference, but only if they could matter. */
async function readOthers(
  batch: FindBatch,
  table: PlannedTable,
  rows: ReadonlyMap<string | number, RowWithWays>,
  parentsOf: readonly ParentReferences[],
): Promise<Map<string, ParentRow[]>[]> {
  const tellsTenants = batch.config.tenancy.way === 'column';
  const all: Map<string, ParentRow[]>[] = [];
  for (const [way, via] of table.vias.entries()) {
    const isUnique = via.uniqueness !== 'none';
    const references = new Map<string, KeyRow>();
    for (const row of rows.values()) {
      const key = keyOf(batch, table, row, way);
      if (key === undefined) continue;
      // A row that all subjects here have by a unique key has no other owner.
      const to = parentsOf[way]?.get(key);
      const isOurs = row.owners.every((place) => to?.owners.includes(place));
      if (isUnique && (isOurs || !tellsTenants)) continue;
      references.set(key, row.ways.references[way] ?? []);
    }
    all.push(
      references.size === 0 ? new Map() : await readParents(batch, via, [...references.values()]),
    );
  }
  return all;
}

/** Which subjects of the batch have the rows that are referred to, by reference and row. */
function ownersById(
  { plan }: FindBatch,
  table: PlannedTable,
  others: readonly ReadonlyMap<string, unknown>[],
  rowsOf: (table: string) => Iterable<FoundRow>,
): ReadonlyMap<string, readonly number[]>[] {
  return table.vias.map((via, way) => {
    const owners = new Map<string, readonly number[]>();
    if (others[way]?.size === 0) return owners;
    const parents = plan.tables.filter((one) => one.table === via.parent);
    for (const parent of parents.filter(({ name }) => !via.beside.includes(name)))
      for (const row of rowsOf(parent.name)) {
        // Known only from a reference to it: the row itself is gone.
        if (row.values.slice(0, parent.keySize).includes(null)) continue;
        const id = rowId(parent, row.values);
        // A row that is kept stays, and so do the rows that it refers to.
        const own = row.owners.filter((place) => !row.kept?.includes(place));
        owners.set(id, union(owners.get(id) ?? [], own));
      }
    return owners;
  });
}

export function isOfOtherTenant(
  { config, tenants }: FindBatch,
  parent: Pick<ParentRow, 'tenants'>,
  place: number,
): boolean {
  if (config.tenancy.way !== 'column') return false;
  const mine = tenants[place] ?? [];
  const own = [...mine, ...mine.flatMap((value) => canonicalUuid(value) ?? [])];
  return [...parent.tenants].some((tenant) => tenant === null || !own.includes(tenant));
}

/**
 * A row with a tenant of its own needs no parent to determine its tenant. Otherwise a parent whose tenant cannot
 * be determined counts as another tenant's.
 */
function isTiedToOtherTenant(
  batch: FindBatch,
  table: PlannedTable,
  via: PlannedVia,
  parent: ParentRow,
  place: number,
): boolean {
  const tenants = new Set(parent.tenants);
  const isSaid = batch.plan.tables.some((one) => one.table === via.parent && tellsTenant(one));
  if (tellsTenant(table) && !isSaid) tenants.delete(null);
  return isOfOtherTenant(batch, { tenants }, place);
}

/**
 * A row that no entry covers may have no way to a tenant. `keep` leaves it untouched and `hold` holds the
 * task, so only `erase` must count it as another tenant's.
 */
function mayBeOfOther({ config }: FindBatch, table: PlannedTable, parent: ParentRow): boolean {
  if (config.tenancy.way !== 'column' || tellsTenant(table)) return false;
  if (table.shared !== 'erase') return false;
  return parent.isOutside === true && parent.tenants.size === 0;
}

function comparesTenant({ plan }: FindBatch, table: PlannedTable, via: PlannedVia): boolean {
  const parent = plan.tables.find(({ name }) => via.entries.includes(name));
  return tellsTenant(table) && parent !== undefined && tellsTenant(parent);
}

// Reads the rows that are referred to, regardless of their owner: to find another person's row among them, and its
// tenant.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Selected } from '../dialect.ts';
import type { PlannedTable, PlannedVia } from '../plan/plan.ts';
import { tellsTenant } from '../plan/tenant-column.ts';
import { selectRows } from '../select-rows.ts';
import { changedMeanwhile, type SqlRow } from '../session.ts';
import { inChunks, textAt } from '../statement.ts';
import { type ParentBatch, sizeFor } from './find-context.ts';
import { rowId } from './found-rows.ts';
import {
  ambiguous,
  amongParents,
  canBeReferredTo,
  findsWhole,
  isByText,
  mayBeSpelt,
  referenceKey,
} from './reference-keys.ts';
import { NOBODYS, ownTenants, type Tenants } from './row-tenants.ts';
import {
  readKeys,
  readReference,
  readTenantReferences,
  selectKeys,
  selectReferences,
  selectTenant,
} from './row-ways.ts';
import { isTaken, isTenant, refuseSpelt, selectTaken } from './tenants.ts';
import { isInside, selectWhere, whereSql } from './where-rows.ts';

export interface ParentRow {
  readonly id: string;
  /** The entry whose `where` covers it. */
  readonly entry?: string;
  /** All tenants that it may belong to; null: an unknown one. Empty if tenants are not distinguished. */
  readonly tenants: ReadonlySet<string | null>;
  /** Outside the `where` of every entry of its table. */
  readonly isOutside?: boolean;
}

/** Keyed by the key of the reference; without references that lead to nothing. */
export async function readParents(
  batch: ParentBatch,
  via: PlannedVia,
  references: readonly KeyRow[],
  /** The entries from which the search came here. */
  path: readonly string[] = [],
): Promise<Map<string, ParentRow[]>> {
  const { plan, dialect } = batch;
  const tables = [...plan.tables, ...plan.leads];
  const found = new Map<string, ParentRow[]>();
  const asked = references.filter((reference) => canBeReferredTo(dialect, via, reference));
  // Rows of an entry that the reference does not mean have owners and tenants too. Entries of one table may lead to
  // each other, so the search does not continue upwards from an entry twice.
  const entries = tables
    .filter(({ table, name }) => table === via.parent && !via.beside.includes(name))
    .map((entry) => (path.includes(entry.name) ? { ...entry, vias: [] } : entry));
  const ids = new Set<string>();
  const add = (key: string, line: ParentRow) => {
    const others = found.get(key);
    if (others === undefined) found.set(key, [line]);
    else others.push(line);
    ids.add(line.id);
  };
  for (const entry of entries)
    for (const { key, ...line } of await readEntry(batch, via, entry, asked, path))
      if (via.descending.includes(entry.name)) ids.add(line.id);
      else add(key, { ...line, entry: entry.name });
  const [first] = entries;
  if (first === undefined || first.where.length === 0) return found;
  // Rows outside every entry exist too: they count as another person's, and have a tenant.
  const whole = { ...first, where: [], vias: [] };
  for (const { key, ...line } of await readEntry(batch, via, whole, asked, path))
    if (!ids.has(line.id)) add(key, { ...line, isOutside: true });
  return found;
}

type KeyedRow = ParentRow & { readonly key: string };

async function readEntry(
  batch: ParentBatch,
  via: PlannedVia,
  parent: PlannedTable,
  asked: readonly KeyRow[],
  path: readonly string[],
): Promise<KeyedRow[]> {
  const { dialect, session, isErasing, config } = batch;
  const tellsTenants = config.tenancy.way === 'column';
  const climbs = tellsTenants && !tellsTenant(parent) && parent.vias.length > 0;
  const select = [
    ...selectKeys(dialect, parent),
    ...selectTenant(dialect, parent),
    ...(climbs ? selectReferences(dialect, parent) : []),
    ...selectWhere(dialect, parent),
    ...(via.isTenant && parent.tenant !== null
      ? [selectTaken(dialect, parent.tenant, batch.tenants)]
      : []),
  ];
  const wanted = new Set(
    asked.map((reference) => referenceKey(dialect, via, reference, 'child')?.key),
  );
  const isLead = batch.plan.leads.includes(parent);
  const isLockedByKey = isLead && dialect.forUpdate !== '';
  const found: KeyedRow[] = [];
  let isUnclear = false;
  const read = async (chunk: readonly KeyRow[], askedKey?: string): Promise<void> => {
    const all = await selectRows(session, dialect, select, (list, bind) => {
      const where = whereSql(dialect, parent, bind);
      const among = amongParents(dialect, via, chunk, bind);
      const lock = isErasing && !isLockedByKey ? parent.forShare : '';
      return `SELECT ${list} FROM ${parent.sqlName} WHERE ${where}${among}${lock}`;
    });
    if (isErasing && isLockedByKey) await lockRead(batch, parent, select, all);
    const rows = all.filter((row) => isInside(parent, row));
    for (const row of rows)
      if (isTaken(row)) refuseSpelt(config.tenancy, batch.tenants, parent, row);
    const tenants = climbs
      ? await climb(
          batch,
          parent,
          rows.map((row) => parent.vias.map((_, way) => readReference(parent, way, row))),
          path,
        )
      : tellsTenants && tellsTenant(parent)
        ? await tenantsOf(batch, parent, rows)
        : rows.map(() => new Set<null>());
    rows.forEach((row, place) => {
      const values = readKeys(parent, row);
      const reference = via.positions.map((position) => values[position] ?? null);
      const key = askedKey ?? referenceKey(dialect, via, reference, 'parent')?.key;
      if (key === undefined) return;
      // Equal for the database, but spelled differently: it is not certain whose the reference is.
      if (isByText(via) && !wanted.has(key) && !via.isTakenForEqual) {
        if (isOfOthers(batch, via, parent, row)) return;
        if (!mayBeSpelt(dialect, via, reference, 'parent', chunk)) return;
        if (findsWhole(via, chunk.length)) throw ambiguous(via);
        isUnclear = true;
        return;
      }
      found.push({
        key,
        id: isLead ? key : rowId(parent, values),
        tenants: tenants[place] ?? new Set(),
      });
    });
  };
  if (via.joined === null)
    for (const chunk of inChunks(asked, sizeFor(dialect, via.columns.length))) await read(chunk);
  if (isUnclear) {
    found.length = 0;
    for (const reference of onceEach(dialect, via, asked)) await read([reference]);
  }
  const isStray = isByText(via) && found.some(({ key }) => !wanted.has(key));
  if (!isStray && via.joined === null) return found;
  // A foreign key treats them as equal, so each reference is queried separately. If several rows may have
  // the value, rows with another spelling are included too.
  if (via.uniqueness === 'none') found.length = 0;
  const keys = new Set(found.map(({ key }) => key));
  for (const reference of asked) {
    const key = referenceKey(dialect, via, reference, 'child')?.key;
    if (key === undefined || keys.has(key)) continue;
    keys.add(key);
    await read([reference], key);
  }
  return found;
}

/**
 * Locked by key, because a search without a suitable index would lock other rows too. Where a lock shows what was changed
 * since the transaction began, that is refused.
 */
async function lockRead(
  { session, dialect }: ParentBatch,
  { sqlName, columns, keySize, forShare }: PlannedTable,
  select: readonly Selected[],
  rows: readonly SqlRow[],
): Promise<void> {
  if (forShare === '' || keySize === 0) return;
  const key = columns.slice(0, keySize);
  for (const chunk of inChunks(rows, sizeFor(dialect, keySize))) {
    const keys = chunk.map((row) => readKeys({ columns: key }, row));
    const locked = await selectRows(session, dialect, select, (list, bind) => {
      const among = dialect.amongKeys(key, keys, bind);
      return `SELECT ${list} FROM ${sqlName} WHERE ${among}${forShare}`;
    });
    const now = new Set(locked.map((row) => JSON.stringify(row)));
    if (chunk.some((row) => !now.has(JSON.stringify(row)))) throw changedMeanwhile();
  }
}

function onceEach(
  dialect: ParentBatch['dialect'],
  via: PlannedVia,
  references: readonly KeyRow[],
): Iterable<KeyRow> {
  const keyOf = (reference: KeyRow) => referenceKey(dialect, via, reference, 'child')?.key;
  return new Map(references.map((reference) => [keyOf(reference), reference])).values();
}

/** The tenant is part of the reference: in no spelling can it lead to a row of another tenant. */
function isOfOthers(
  { tenants }: ParentBatch,
  { uniqueness, comparesTenant }: PlannedVia,
  { tenant }: PlannedTable,
  row: SqlRow,
): boolean {
  if (uniqueness === 'alone' || !comparesTenant || tenant === null) return false;
  return !tenants.some((own) => isTenant(tenant, textAt(row, 't'), own));
}

/** Rows of a table without the column have the tenants of the rows that they refer to. */
export async function climb(
  batch: ParentBatch,
  table: Pick<PlannedTable, 'name' | 'vias'>,
  rows: readonly (readonly KeyRow[])[],
  path: readonly string[] = [],
): Promise<Set<string | null>[]> {
  const tenants = rows.map(() => new Set<string | null>());
  for (const [way, via] of table.vias.entries()) {
    if (via.entries.includes(table.name)) continue;
    const references = rows.map((row) => row[way] ?? []);
    const named = references.filter((reference) => reference.every((text) => text !== null));
    const parents = await readParents(batch, via, named, [...path, table.name]);
    references.forEach((reference, place) => {
      const key = referenceKey(batch.dialect, via, reference, 'child')?.key;
      for (const parent of (key === undefined ? undefined : parents.get(key)) ?? [])
        for (const tenant of parent.tenants) tenants[place]?.add(tenant);
    });
  }
  // The owner cannot be determined: it may be any person's.
  for (const own of tenants) if (own.size === 0) own.add(null);
  return tenants;
}

/** The tenants of rows that were read with `selectTenant`. */
export async function tenantsOf(
  batch: ParentBatch,
  table: Pick<PlannedTable, 'name' | 'tenant' | 'tenantBy'>,
  rows: readonly SqlRow[],
): Promise<Tenants[]> {
  const own = rows.map((row) => ownTenants(batch, table, textAt(row, 't')));
  if (table.tenantBy.length === 0) return own;
  const asked = [...rows.entries()].filter(([place]) => own[place]?.has(null));
  const found = await tenantsReferredTo(
    batch,
    table,
    asked.map(([, row]) => readTenantReferences(table, row)),
  );
  asked.forEach(([place], at) => {
    own[place] = found[at] ?? NOBODYS;
  });
  return own;
}

/** NULL refers to nothing; a reference that leads to no row leads to nobody's. */
async function tenantsReferredTo(
  batch: ParentBatch,
  { name, tenantBy }: Pick<PlannedTable, 'name' | 'tenantBy'>,
  rows: readonly (readonly KeyRow[])[],
): Promise<Tenants[]> {
  const all = rows.map(() => new Set<string | null>());
  for (const [way, via] of tenantBy.entries()) {
    const references = rows.map((row) => row[way] ?? []);
    const named = references.filter((reference) => !reference.includes(null));
    const distinct = new Map(named.map((reference) => [JSON.stringify(reference), reference]));
    if (distinct.size === 0) continue;
    const parents = await readParents(batch, via, [...distinct.values()]);
    const gone = deletedBefore(batch, via);
    references.forEach((reference, place) => {
      if (reference.includes(null)) return;
      const key = referenceKey(batch.dialect, via, reference, 'child');
      if (key?.isOdd) throw ambiguous(via, name);
      const found = key === undefined ? [] : (parents.get(key.key) ?? []);
      const tenants = found.flatMap((parent) => [...parent.tenants]);
      const before = key === undefined ? undefined : gone.get(key.key);
      for (const tenant of tenants.length > 0 ? tenants : [...(before ?? NOBODYS)])
        all[place]?.add(tenant);
    });
  }
  return all.map((tenants) => (tenants.size === 0 ? NOBODYS : tenants));
}

/** Rows that an order has deleted had its tenant: what still refers to them is found in the second look. */
function deletedBefore(
  { known = [], tenants, dialect }: ParentBatch,
  via: PlannedVia,
): ReadonlyMap<string, Set<string | null>> {
  const deleted = new Map<string, Set<string | null>>();
  known.forEach((keys, place) => {
    for (const values of via.entries.flatMap((entry) => keys[entry] ?? [])) {
      const reference = via.positions.map((position) => values[position] ?? null);
      const key = referenceKey(dialect, via, reference, 'parent')?.key;
      if (key === undefined) continue;
      deleted.set(key, (deleted.get(key) ?? new Set()).add(tenants[place]?.[0] ?? null));
    }
  });
  return deleted;
}

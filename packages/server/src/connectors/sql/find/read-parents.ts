// Rows that are referred to, whoever's they are: to see whether somebody else's row is among them, and
// of which tenant it is.
import type { KeyRow } from '../../../domain/connector.ts';
import type { PlannedTable, PlannedVia } from '../plan/plan.ts';
import { selectRows } from '../select-rows.ts';
import { inChunks, textAt } from '../statement.ts';
import { type FindBatch, sizeFor } from './find-context.ts';
import { rowId } from './found-rows.ts';
import { tenantText } from './match-identities.ts';
import {
  ambiguous,
  amongParents,
  canBeReferredTo,
  isByText,
  referenceKey,
} from './reference-keys.ts';
import { readKeys, readReference, selectKeys, selectReferences, selectTenant } from './row-ways.ts';

export interface ParentRow {
  readonly id: string;
  /** All that it can be of; null stands for one that cannot be told. Empty where nobody tells them apart. */
  readonly tenants: ReadonlySet<string | null>;
}

/** By the key of the reference; without those that refer to nothing. */
export async function readParents(
  batch: FindBatch,
  via: PlannedVia,
  references: readonly KeyRow[],
): Promise<Map<string, ParentRow[]>> {
  const { plan, dialect, session, isErasing } = batch;
  const parent = plan.tables.find(({ name }) => name === via.parent);
  const found = new Map<string, ParentRow[]>();
  if (parent === undefined) return found;
  const asked = references.filter((reference) => canBeReferredTo(dialect, via, reference));
  const climbs = batch.config.tenancy.way === 'column' && parent.tenant === null;
  const select = [
    ...selectKeys(dialect, parent),
    ...selectTenant(dialect, parent),
    ...(climbs ? selectReferences(dialect, parent) : []),
  ];
  const wanted = new Set(
    asked.map((reference) => referenceKey(dialect, via, reference, 'child')?.key),
  );
  for (const chunk of inChunks(asked, sizeFor(dialect, via.columns.length))) {
    const rows = await selectRows(session, dialect, select, (list, bind) => {
      const among = amongParents(dialect, via, chunk, bind);
      const lock = isErasing ? dialect.forShare : '';
      return `SELECT ${list} FROM ${parent.sqlName} WHERE ${among}${lock}`;
    });
    const tenants = climbs
      ? await climb(
          batch,
          parent,
          rows.map((row) => parent.vias.map((_, way) => readReference(parent, way, row))),
        )
      : rows.map((row) => ownTenant(batch, parent, textAt(row, 't')));
    rows.forEach((row, place) => {
      const values = readKeys(parent, row);
      const reference = via.positions.map((position) => values[position] ?? null);
      const key = referenceKey(dialect, via, reference, 'parent')?.key;
      if (key === undefined) return;
      // Equal to the database, and written differently: whose the reference is cannot be told.
      if (isByText(via) && !wanted.has(key) && !via.isForeignKey)
        throw ambiguous(via.parent, via.parent);
      const line = { id: rowId(parent, values), tenants: tenants[place] ?? new Set() };
      const others = found.get(key);
      if (others === undefined) found.set(key, [line]);
      else others.push(line);
    });
  }
  return found;
}

function ownTenant(
  { config }: FindBatch,
  { tenant }: PlannedTable,
  text: string | null,
): Set<string | null> {
  if (config.tenancy.way !== 'column' || tenant === null) return new Set();
  return new Set([text === null ? null : tenantText(tenant, text)]);
}

/** A table without the column has the tenants of what its rows refer to. */
export async function climb(
  batch: FindBatch,
  table: Pick<PlannedTable, 'name' | 'vias'>,
  rows: readonly (readonly KeyRow[])[],
): Promise<Set<string | null>[]> {
  const tenants = rows.map(() => new Set<string | null>());
  for (const [way, via] of table.vias.entries()) {
    if (via.parent === table.name) continue;
    const references = rows.map((row) => row[way] ?? []);
    const named = references.filter((reference) => reference.every((text) => text !== null));
    const parents = await readParents(batch, via, named);
    references.forEach((reference, place) => {
      const key = referenceKey(batch.dialect, via, reference, 'child')?.key;
      for (const parent of (key === undefined ? undefined : parents.get(key)) ?? [])
        for (const tenant of parent.tenants) tenants[place]?.add(tenant);
    });
  }
  // Nothing tells: it may be anybody's.
  for (const own of tenants) if (own.size === 0) own.add(null);
  return tenants;
}

// Finds rows of any owner that refer, by a foreign key, to rows that are deleted.
import type { KeyRow } from '../../../domain/target/connector.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedReference } from '../plan/plan.ts';
import { tellsTenant } from '../plan/tenant-column.ts';
import { selectKey, selectRows } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { columnNames, inChunks, textAt } from '../statement.ts';
import { isOfOtherTenant } from './decide-shared.ts';
import { type FindBatch, sizeFor } from './find-context.ts';
import { rowId } from './found-rows.ts';
import { type JoinedRow, joinParents } from './join-parents.ts';
import { climb, tenantsOf } from './read-parents.ts';
import { amongParts, amongReferences, canRefer, referenceKey } from './reference-keys.ts';
import { whoseOf } from './row-tenants.ts';
import { readKeys, readReference, selectKeys, selectReferences, selectTenant } from './row-ways.ts';

export interface ReferringRow {
  /** Identifies the row within its table. */
  readonly id: string;
  readonly key: KeyRow;
  /** What it refers to, in the spelling of the deleted row. */
  readonly reference: KeyRow;
  /** The position in the batch of the subject whose row it refers to. */
  readonly place: number;
  /** Whether its tenant differs from that of the row that it refers to. */
  readonly isOfOtherTenant: boolean;
}

/** `entry`: its name in the plan. */
export type RowsThatGo = (entry: string, place: number) => Iterable<KeyRow>;

export async function findReferring(
  batch: FindBatch,
  foreign: PlannedReference,
  rowsOf: RowsThatGo,
): Promise<ReferringRow[]> {
  const { session, dialect, subjects, isErasing } = batch;
  const { table } = foreign;
  const parents = createParents(batch, foreign);
  for (const place of subjects.keys())
    for (const entry of foreign.entries)
      for (const values of rowsOf(entry, place)) parents.add(values, place);
  const climbs = batch.config.tenancy.way === 'column' && !tellsTenant(table);
  const names = columnNames('k', foreign.columns.length);
  const select = [
    ...selectKeys(dialect, table),
    ...foreign.columns.map((column, place) => selectKey(dialect, column, names[place] ?? '')),
    ...selectTenant(dialect, table),
    ...(climbs ? selectReferences(dialect, table) : []),
  ];
  const found: ReferringRow[] = [];
  for (const chunk of inChunks(parents.references(), sizeFor(dialect, foreign.columns.length))) {
    const rows = await readReferring(chunk);
    const referring = rows.flatMap(({ row, reference }) => {
      const to = parents.find(reference);
      return to === undefined ? [] : [{ row, ...to }];
    });
    const isOther = await tenantTest(
      batch,
      foreign,
      referring.map(({ row }) => row),
    );
    referring.forEach(({ row, reference, place }, at) => {
      const key = readKeys(table, row).slice(0, table.keySize);
      found.push({
        id: rowId(table, key),
        key,
        reference,
        place,
        isOfOtherTenant: isOther(place, at),
      });
    });
  }
  return found;

  async function readReferring(chunk: readonly KeyRow[]): Promise<readonly JoinedRow[]> {
    const via = viaOf(foreign);
    const lock = isErasing ? dialect.forUpdate : '';
    const parts = amongParts(foreign.rowsIn);
    if (via.joined !== null) {
      const search = { via, ...via.joined, select, where: () => parts, tail: lock };
      return joinParents(batch, search, chunk);
    }
    const rows = await selectRows(session, dialect, select, (list, bind) => {
      const among = amongReferences(dialect, via, chunk, bind);
      return `SELECT ${list} FROM ${table.sqlName} WHERE ${parts}${among}${lock}`;
    });
    return rows.map((row) => ({ row, reference: names.map((name) => textAt(row, name)) }));
  }
}

/** The parts of a reference that are needed to compare values. */
function viaOf(foreign: PlannedReference) {
  return {
    ...foreign,
    uniqueness: 'alone',
    namesOneRow: true,
    comparesTenant: false,
    isReverse: false,
    isForeignKey: true,
    descending: [],
    beside: [],
    isTakenForEqual: true,
  } as const;
}

/** The deleted rows, by the values that refer to them. */
function createParents({ dialect, subjects }: FindBatch, foreign: PlannedReference) {
  const via = viaOf(foreign);
  const misleading = foreign.parentColumns.map((column, place) =>
    dialect.foreignKeys.isMisleading(column, foreign.columns[place] ?? column),
  );
  const exact = new Map<string, { reference: KeyRow; place: number }>();
  const folded = new Map<string, { reference: KeyRow; place: number }[]>();
  return {
    add(values: KeyRow, place: number): void {
      const reference = foreign.positions.map((position) => values[position] ?? null);
      if (reference.some((text, at) => text !== null && misleading[at]?.(text) === true))
        throw misled(foreign);
      const key = referenceKey(dialect, via, reference, 'parent')?.key;
      if (key === undefined || exact.has(key) || !canRefer(dialect, via, reference)) return;
      exact.set(key, { reference, place });
      const alike = folded.get(foldText(key));
      if (alike === undefined) folded.set(foldText(key), [{ reference, place }]);
      else alike.push({ reference, place });
    },
    references: () => [...exact.values()].map(({ reference }) => reference),
    /** The database has found it, so it refers to one of them, possibly in another spelling. */
    find(child: KeyRow): { reference: KeyRow; place: number } | undefined {
      const key = referenceKey(dialect, via, child, 'child')?.key;
      if (key === undefined) return undefined;
      const to = exact.get(key);
      if (to !== undefined) return to;
      const [first, ...others] = folded.get(foldText(key)) ?? [];
      if (first !== undefined && others.length === 0) return first;
      if (first !== undefined && others.every(({ place }) => place === first.place))
        return { reference: child, place: first.place };
      // The batch is bisected until only one row can be meant.
      if (subjects.length > 1)
        throw new NeedsDecision('ambiguous_reference', `of ${foreign.table.name}`);
      return { reference: child, place: 0 };
    },
  };
}

function misled({ key, table, columns, parent, parentColumns }: PlannedReference): NeedsDecision {
  const namesOf = (list: readonly { readonly name: string }[]) =>
    list.map(({ name }) => name).join(', ');
  return new NeedsDecision(
    'ambiguous_reference',
    `a row of ${parent} has a value in ${namesOf(parentColumns)} for which the foreign key ${key} of ${table.name} (${namesOf(columns)}) counts blanks at the end that CHAR does not show, so other rows may be deleted or changed with it; give the columns of both tables the same type, or correct the value, then release`,
  );
}

/** The same for all texts that some collation treats as equal. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd();
}

async function tenantTest(
  batch: FindBatch,
  { table }: PlannedReference,
  rows: readonly SqlRow[],
): Promise<(place: number, at: number) => boolean> {
  if (batch.config.tenancy.way !== 'column') return () => false;
  if (tellsTenant(table)) {
    const own = await tenantsOf(batch, table, rows);
    return (place, at) => whoseOf(own[at] ?? new Set(), batch.tenants[place]) !== 'own';
  }
  const ways = rows.map((row) => table.vias.map((_, way) => readReference(table, way, row)));
  const tenants = await climb(batch, table, ways);
  // A row that refers to nothing else has the tenant of the row from which it was reached.
  const isAlone = (at: number) =>
    ways[at]?.every((reference) => reference.some((text) => text === null)) ?? true;
  return (place, at) =>
    !isAlone(at) && isOfOtherTenant(batch, { tenants: tenants[at] ?? new Set() }, place);
}

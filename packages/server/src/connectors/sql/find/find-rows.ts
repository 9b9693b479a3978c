// Finds the rows of a batch's subjects in every table of the plan, from the identities down, parents
// before children: one statement for each matched column and each reference.
import type { Held, KeyRow, Keys, Subject } from '../../../domain/target/connector.ts';
import { readOverwritten } from '../erase/read-overwritten.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { PlannedTable, PlannedVia } from '../plan/plan.ts';
import { countEqualRows, namesSeveral } from './count-equal-rows.ts';
import { decideShared, type RowWithWays } from './decide-shared.ts';
import { findChildren, findChildrenGrouped } from './find-children.ts';
import type { FindBatch, FindContext } from './find-context.ts';
import { addRow, type Findings, type FoundRow, type RowsOfTable, rowId } from './found-rows.ts';
import { type Assumed, areSame, laterEntries } from './later-entries.ts';
import { createIdentityMatcher } from './match-identities.ts';
import { type ParentReferences, referencesTo } from './parent-references.ts';
import { tenantsOf } from './read-parents.ts';
import { withoutReplaced } from './replaced-parents.ts';
import {
  readKeys,
  readWays,
  selectKeys,
  selectReferences,
  selectTenant,
  selectWays,
} from './row-ways.ts';
import { otherTenant } from './shared-holds.ts';
import { tenantOf } from './tenants.ts';

/** Maximum number of rows of one table in memory for a batch; with more, the batch is bisected. */
const MAX_ROWS = 200_000;
/**
 * The maximum for one subject. Its keys are held in memory, and a person with a million rows is a mistake
 * in the plan.
 */
const MAX_ROWS_ALONE = 1_000_000;

export interface FindOptions {
  /** Rows known from earlier, whose children are searched for too. In the order of the subjects. */
  readonly known?: readonly Keys[];
  /** The transaction will change the rows that are found. */
  readonly isErasing?: boolean;
}

/**
 * Rows of an entry that is found later may tie a row to another person, or may belong to the subject because of this
 * very row. If tied rows are kept, such entries first tie it to no one, then to everyone except the owners found for
 * them, until that does not change any more. Otherwise, in doubt, they tie it to another person.
 */
export async function findRows(
  context: FindContext,
  subjects: readonly Subject[],
  options: FindOptions = {},
): Promise<Findings> {
  const later = laterEntries(context.plan);
  let found = await findOnce(context, subjects, options, later);
  if (later.length === 0) return found;
  for (;;) {
    const before = found.tables;
    found = await findOnce(context, subjects, options, [], before);
    if (areSame(context.plan, later, before, found.tables)) return found;
  }
}

async function findOnce(
  context: FindContext,
  subjects: readonly Subject[],
  { known = [], isErasing = false }: FindOptions,
  /** Entries that do not count as ties. */
  undecided: readonly string[],
  assumed?: Assumed,
): Promise<Findings> {
  const { session, dialect, config, plan } = context;
  const tenants = subjects.map((subject) => tenantOf(config.tenancy, subject));
  const batch: FindBatch = { ...context, subjects, tenants, isErasing, known };
  const matcher = createIdentityMatcher(session, dialect, config, subjects, (table, rows) =>
    tenantsOf(batch, table, rows),
  );
  const max = subjects.length > 1 ? MAX_ROWS : Math.max(MAX_ROWS_ALONE, config.maxRowsPerSubject);
  const tables = new Map<string, RowsOfTable>();
  const holds = new Map<number, Held>();

  const tail = ` LIMIT ${max + 1}`;

  function guard(table: PlannedTable, rows: RowsOfTable): void {
    if (rows.size <= max) return;
    throw new NeedsDecision(
      'over_cap',
      `more than ${max} rows of ${table.name} belong to it; correct "match" or "via" if they are not right, reload, then release; or retain`,
    );
  }

  async function parentsOf(via: PlannedVia): Promise<ParentReferences> {
    const before = await withoutReplaced(batch, via, via.entries.flatMap(knownRows));
    const now = via.entries.flatMap((name) => [...(tables.get(name)?.values() ?? [])]);
    const parents = [...now, ...before];
    return referencesTo(dialect, via, parents);
  }

  function knownRows(table: string): FoundRow[] {
    return known.flatMap((keys, place) => {
      const owners = [place];
      return (keys[table] ?? []).map((values) => ({ values, owners }));
    });
  }

  /** Every row has one owner, or the owners of its one parent: no row needs an individual check. */
  async function findOfOneWay(table: PlannedTable): Promise<RowsOfTable> {
    const rows: RowsOfTable = new Map();
    for (const match of table.matches) {
      const found = matcher.find(table, match, selectKeys(dialect, table), tail);
      for await (const { row, owners } of found)
        addRow(rows, table, { values: readKeys(table, row), owners });
      guard(table, rows);
    }
    const [via] = table.vias;
    if (via === undefined) return rows;
    const search = searchFor(table, via, 0, await parentsOf(via));
    if (search.parents.size === 0) return rows;
    const grouped = known.length === 0 ? await findChildrenGrouped(batch, search) : undefined;
    if (grouped !== undefined) {
      grouped.forEach((row, place) => {
        rows.set(place, row);
      });
      guard(table, rows);
      return rows;
    }
    const children = findChildren(batch, search, mismatch(table));
    for await (const { row: _, reference: __, ...child } of children) {
      addRow(rows, table, child);
      guard(table, rows);
    }
    return rows;
  }

  async function findOfSeveral(table: PlannedTable): Promise<RowsOfTable> {
    const rows = new Map<string | number, RowWithWays>();
    const select = [...selectKeys(dialect, table), ...selectWays(dialect, table)];
    for (const match of table.matches) {
      for await (const { row, owners } of matcher.find(table, match, select, tail))
        addRow(rows, table, { values: readKeys(table, row), owners, ways: readWays(table, row) });
      guard(table, rows);
    }
    const references: ParentReferences[] = [];
    for (const via of table.vias) references.push(await parentsOf(via));
    const isOfItself = ({ entries }: PlannedVia) => entries.includes(table.name);
    const others = [...table.vias.entries()].filter(([, via]) => !isOfItself(via));
    const own = [...table.vias.entries()].filter(([, via]) => isOfItself(via));
    for (const [way, via] of [...others, ...own]) {
      let parents = isOfItself(via)
        ? referencesTo(dialect, via, [...rows.values(), ...knownRows(table.name)])
        : (references[way] ?? new Map());
      // A cascade may lead from a table to itself: continue until a level has no new rows.
      while (parents.size > 0) {
        const search = searchFor(table, via, way, parents);
        const level: FoundRow[] = [];
        for await (const { row, kept: _, reference, ...child } of findChildren(
          batch,
          search,
          mismatch(table),
        )) {
          const size = rows.size;
          const added = addRow(rows, table, { ...child, ways: readWays(table, row) });
          keepReference(rows, table, added, way, reference);
          if (rows.size > size) level.push(child);
        }
        guard(table, rows);
        parents = isOfItself(via) ? referencesTo(dialect, via, level) : new Map();
      }
      if (isOfItself(via))
        references[way] = referencesTo(dialect, via, [...rows.values(), ...knownRows(table.name)]);
    }
    const isKept = table.shared === 'keep';
    const rowsOf = (name: string) => [
      ...((tables.get(name) ?? (isKept ? assumed?.get(name) : undefined))?.values() ?? []),
      ...knownRows(name),
    ];
    const decision = await decideShared(batch, table, {
      rows,
      parentsOf: references,
      rowsOf,
      undecided: isKept ? undecided : [],
    });
    for (const [place, held] of decision.holds) if (!holds.has(place)) holds.set(place, held);
    return decision.rows;
  }

  function searchFor(table: PlannedTable, via: PlannedVia, way: number, parents: ParentReferences) {
    const ways = table.hasSeveralOwners ? selectWays : selectReferences;
    const select = [
      ...selectKeys(dialect, table),
      ...ways(dialect, table),
      ...selectTenant(dialect, table),
    ];
    return { table, via, way, parents, select, tail };
  }

  async function markDone(table: PlannedTable, rows: RowsOfTable): Promise<RowsOfTable> {
    const values = [...rows.values()].map((row) => row.values);
    const done = new Set<string>();
    for await (const { row, isDone } of readOverwritten(context, table, values))
      if (isDone) done.add(rowId(table, readKeys(table, row)));
    if (done.size === 0) return rows;
    return new Map(
      [...rows].map(([id, row]) => [id, { ...row, isDone: done.has(rowId(table, row.values)) }]),
    );
  }

  const mismatch = (table: PlannedTable) => (place: number) => {
    if (!holds.has(place)) holds.set(place, otherTenant(table));
  };

  for (const table of plan.tables) {
    const rows = await (table.hasSeveralOwners ? findOfSeveral(table) : findOfOneWay(table));
    const all = namesSeveral(table) ? await countEqualRows(context, table, rows) : rows;
    tables.set(table.name, table.action.kind === 'overwrite' ? await markDone(table, all) : all);
  }
  return { tables, holds };
}

/** The spelling of a foreign key may differ from its parent's: the row that it refers to counts. */
function keepReference(
  rows: Map<string | number, RowWithWays>,
  table: PlannedTable,
  row: RowWithWays,
  way: number,
  reference: KeyRow,
): void {
  const references = row.ways.references.map((own, place) => (place === way ? reference : own));
  rows.set(rowId(table, row.values), { ...row, ways: { ...row.ways, references } });
}

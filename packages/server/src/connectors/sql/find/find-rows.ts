// Finds the rows of a batch's subjects in every table of the plan, parents before children: one statement
// for each matched column and each reference.
import type { KeyRow, Keys, Subject } from '../../../domain/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target.ts';
import type { Selected, SqlDialect } from '../dialect.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { Plan, PlannedTable, PlannedVia } from '../plan/plan.ts';
import { selectKey, selectList, selectRows } from '../select-rows.ts';
import type { SqlRow, SqlSession } from '../session.ts';
import { columnNames, inChunks, runStatement, textAt } from '../statement.ts';
import { canGroup, groupedSql, ungroup } from './find-grouped.ts';
import {
  addRow,
  type FoundRow,
  type FoundRows,
  referenceAt,
  referenceText,
  union,
} from './found-rows.ts';
import { createIdentityMatcher } from './match-identities.ts';

/** Rows of one table held in memory for a batch; more, and the batch is halved. */
const MOST_ROWS = 200_000;
/** For one subject alone. Its keys have to be kept, and nobody has a million rows by right. */
const MOST_ROWS_ALONE = 1_000_000;

export interface FindOptions {
  /** Rows known from before, whose children are looked for too. In the order of the subjects. */
  readonly known?: readonly Keys[];
  readonly byIdentity: boolean;
  readonly suffix?: string;
}

export interface FindContext {
  readonly session: SqlSession;
  readonly dialect: SqlDialect;
  readonly config: SqlTargetConfig;
  readonly plan: Plan;
}

export async function findRows(
  { session, dialect, config, plan }: FindContext,
  subjects: readonly Subject[],
  { known = [], byIdentity, suffix = '' }: FindOptions,
): Promise<FoundRows> {
  const found: FoundRows = new Map();
  const matcher = createIdentityMatcher(session, dialect, config, subjects);
  const most =
    subjects.length > 1 ? MOST_ROWS : Math.max(MOST_ROWS_ALONE, config.maxRowsPerSubject);
  const tail = ` LIMIT ${most + 1}${suffix}`;

  function guard(table: PlannedTable): void {
    if ((found.get(table.name)?.size ?? 0) <= most) return;
    throw new NeedsDecision('over_cap', `more than ${most} rows of ${table.name} belong to it`);
  }

  /** Those that are new, or belong to more subjects than before. */
  async function findChildren(
    table: PlannedTable,
    via: PlannedVia,
    parents: Iterable<FoundRow>,
  ): Promise<FoundRow[]> {
    const owners = new Map<string, readonly number[]>();
    const references: KeyRow[] = [];
    for (const { values, owners: places } of parents) {
      const reference = via.positions.map((position) => values[position] ?? null);
      const text = referenceText(reference);
      if (text === undefined || !fits(dialect, via, reference)) continue;
      const before = owners.get(text);
      if (before === undefined) references.push(reference);
      owners.set(text, before === undefined ? places : union(before, places));
    }

    const select = [
      ...keySelect(dialect, table),
      ...via.columns.map((column, place) => selectKey(dialect, column, `f${place}`)),
    ];
    // In a preview, where nothing is known from before.
    if (known.length === 0 && canGroup(dialect, table, via)) {
      await findGrouped(table, via, references, owners, select);
      return [];
    }
    const rows: FoundRow[] = [];
    const names = columnNames('f', via.columns.length);
    for (const chunk of inChunks(references, sizeFor(dialect, via.columns.length))) {
      const candidates = await selectRows(session, dialect, select, (list, bind) => {
        const among = dialect.amongKeys(via.columns, chunk, bind);
        return `SELECT ${list} FROM ${table.sqlName} WHERE ${among}${tail}`;
      });
      for (const row of candidates) {
        const text = referenceAt(row, names);
        const places = text === undefined ? undefined : owners.get(text);
        if (places === undefined) throw ambiguous(table, via);
        const added = addRow(found, table, keyOf(table, row), places);
        if (added !== undefined) rows.push(added);
      }
      guard(table);
    }
    return rows;
  }

  async function findGrouped(
    table: PlannedTable,
    via: PlannedVia,
    references: readonly KeyRow[],
    owners: ReadonlyMap<string, readonly number[]>,
    select: readonly Selected[],
  ): Promise<void> {
    const all = new Map<number, FoundRow>();
    found.set(table.name, all);
    for (const chunk of inChunks(references, sizeFor(dialect, 1))) {
      const { rows } = await runStatement(session, dialect, (bind) => {
        const list = selectList(select, bind);
        const among = dialect.amongKeys(via.columns, chunk, bind);
        return groupedSql(`SELECT ${list} FROM ${table.sqlName} WHERE ${among}${tail}`, select);
      });
      for (const row of rows) {
        const places = owners.get(textAt(row, 'f0') ?? '');
        if (places === undefined) throw ambiguous(table, via);
        for (const values of ungroup(table, row)) all.set(all.size, { values, owners: places });
      }
      guard(table);
    }
  }

  function knownRows(table: string): FoundRow[] {
    return known.flatMap((keys, place) => {
      const owners = [place];
      return (keys[table] ?? []).map((values) => ({ values, owners }));
    });
  }

  for (const table of plan.tables) {
    if (byIdentity) {
      for (const match of table.matches) {
        const rows = matcher.find(table, match, keySelect(dialect, table), tail);
        for await (const { row, owners } of rows) addRow(found, table, keyOf(table, row), owners);
        guard(table);
      }
    }
    for (const via of table.vias.filter(({ parent }) => parent !== table.name)) {
      const parents = [...(found.get(via.parent)?.values() ?? []), ...knownRows(via.parent)];
      if (parents.length > 0) await findChildren(table, via, parents);
    }
    for (const via of table.vias.filter(({ parent }) => parent === table.name)) {
      // Down the tree until a level has nobody new; a circle of rows ends so too.
      let level = [...(found.get(table.name)?.values() ?? []), ...knownRows(table.name)];
      while (level.length > 0) level = await findChildren(table, via, level);
    }
  }
  return found;
}

export function sizeFor(dialect: SqlDialect, columns: number): number {
  return Math.max(1, Math.floor(dialect.mostValues / columns));
}

export function keySelect(dialect: SqlDialect, table: PlannedTable): Selected[] {
  return table.columns.map((column, place) => selectKey(dialect, column, `c${place}`));
}

/** Made once: this is done for every row. */
const KEY_NAMES = columnNames('c', 16);

export function keyOf(table: PlannedTable, row: SqlRow): KeyRow {
  const values: (string | null)[] = [];
  for (let place = 0; place < table.columns.length; place++)
    values.push(textAt(row, KEY_NAMES[place] ?? `c${place}`));
  return values;
}

function ambiguous(table: PlannedTable, via: PlannedVia): NeedsDecision {
  return new NeedsDecision(
    'ambiguous_reference',
    `a row of ${table.name} refers to a row of ${via.parent} by a value that is written differently`,
  );
}

function fits(dialect: SqlDialect, via: PlannedVia, reference: KeyRow): boolean {
  return via.columns.every((column, place) => {
    const text = reference[place];
    return typeof text === 'string' && dialect.canHoldKey(column, text);
  });
}

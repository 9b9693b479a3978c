// Prints the plan of a target as a tree: identities, the tables that they are matched in, and below each table
// those that its rows lead to.
import type {
  DescribedMatch,
  DescribedTable,
  DescribedVia,
  DescribedWhere,
  PlanDescription,
  PlanEffect,
} from '../../domain/target/plan-description.ts';
import type { Shared } from '../../domain/target/target.ts';
import { fold } from '../shared/fold.ts';

const STEP = 2;

/** Lines for a terminal, each indented by at least this many columns. */
export function planTree({ tables, loosened }: PlanDescription, indent: number): string[] {
  const lines: string[] = [];
  const shown = new Set<string>();
  const write = (text: string, depth: number) => lines.push(...fold(text, indent + depth * STEP));

  function writeTable(table: DescribedTable, depth: number): void {
    shown.add(table.table);
    write(describeTable(table), depth);
    for (const child of tables.filter(({ via }) => leadsFrom(via, table.table))) {
      const isHome = homeOf(child) === table.table;
      if (isHome && !shown.has(child.table)) writeTable(child, depth + 1);
      else write(`${child.table}: see ${shown.has(child.table) ? 'above' : 'below'}`, depth + 1);
    }
    for (const reference of loosened.filter(({ parent }) => parent === table.table))
      write(
        `${reference.table}, where ${describeVia(reference)}: the reference is set to NULL, the row stays`,
        depth + 1,
      );
  }

  for (const table of tables.filter((it) => homeOf(it) === null)) {
    for (const match of table.match) write(describeMatch(table, match), 0);
    writeTable(table, 1);
  }
  return lines;
}

/** The table below which it is shown; null if its own identities find it. */
function homeOf({ match, via }: DescribedTable): string | null {
  const [first] = via;
  return match.length > 0 || first === undefined ? null : (entriesOf(first)[0] ?? null);
}

function entriesOf({ parent, entries = [parent] }: DescribedVia): readonly string[] {
  return entries;
}

function describeMatch({ table }: DescribedTable, match: DescribedMatch): string {
  const { type, column, path, trim } = match;
  const inside = path === undefined ? '' : ` ${path}`;
  return `${type} -> ${table}.${column}${inside}${trim ? ', ignoring blanks around it' : ''}`;
}

function leadsFrom(via: DescribedTable['via'], parent: string): boolean {
  return via.some((one) => entriesOf(one).includes(parent));
}

function describeTable(table: DescribedTable): string {
  const { where = {}, match, via, effect, shared, tenantColumn, tenantBy, whenUnmatched } = table;
  const ways = via.map(describeVia).join(' or ');
  const by = ways === '' ? '' : `, ${match.length > 0 ? 'also ' : ''}by ${ways}`;
  const more = [
    // If the table is listed several times, the name of the entry contains it.
    ...Object.entries(where)
      .filter(([column]) => !table.table.includes(`${column}: `))
      .map(([column, values]) => `only with ${column} ${oneOf(values)}`),
    ...(tenantColumn === null ? [] : [`only with the tenant in ${tenantColumn}`]),
    ...tenantBy.map(
      (one) =>
        `${tenantColumn === null ? 'only' : 'or, where that is NULL,'} with the tenant of ${one.parent}, where ${describeVia(one)}`,
    ),
    ...(shared === null ? [] : [`rows shared with somebody else: ${SHARED[shared]}`]),
    ...(whenUnmatched === 'skip' ? ['skipped where the request has no identity for it'] : []),
  ];
  return [`${table.table}${by}: ${describeEffect(effect)}`, ...more].join('; ');
}

function oneOf(values: DescribedWhere): string {
  const [word, list] = 'not' in values ? ['other than ', values.not] : ['', values];
  return `${word}${list.map((value) => value ?? 'NULL').join(' or ')}`;
}

const SHARED: Readonly<Record<Shared, string>> = {
  hold: 'the request is held',
  erase: 'erased all the same',
  keep: 'kept, and on the receipt as shared',
};

function describeEffect(effect: PlanEffect): string {
  switch (effect.kind) {
    case 'deleted':
      return 'deleted';
    case 'overwritten':
      return `overwritten (${effect.columns.join(', ')})`;
    case 'retained':
      return `retained ("${effect.reason}")`;
    case 'removed_by_cascade':
      return 'removed by cascade';
  }
}

function describeVia({ parent, columns }: DescribedVia): string {
  return Object.entries(columns)
    .map(([from, to]) => `${from} = ${parent}.${to}`)
    .join(' and ');
}

/** Plain data for scripts. */
export function shapePlan({ tables, loosened }: PlanDescription) {
  return {
    tables: tables.map(
      ({ table, where, match, via, tenantColumn, tenantBy, effect, shared, whenUnmatched }) => ({
        table,
        ...(where !== undefined && { where }),
        match,
        via,
        tenant_column: tenantColumn,
        ...(tenantBy.length > 0 && { tenant: tenantBy }),
        effect: effect.kind,
        ...(effect.kind === 'overwritten' && { columns: effect.columns }),
        ...(effect.kind === 'retained' && { reason: effect.reason }),
        shared,
        when_unmatched: whenUnmatched,
      }),
    ),
    emptied_references: loosened,
  };
}

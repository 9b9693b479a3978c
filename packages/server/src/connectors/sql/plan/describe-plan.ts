// A plan in a form for people and scripts: names of tables and columns, without SQL.
import { byName } from '../../../domain/by-name.ts';
import type {
  DescribedMatch,
  DescribedReference,
  DescribedTable,
  DescribedWhere,
  PlanDescription,
  PlanEffect,
} from '../../../domain/target/plan-description.ts';
import { writeJsonPath } from '../write-json-path.ts';
import type { Plan, PlannedMatch, PlannedReference, PlannedTable, PlannedVia } from './plan.ts';
import { whereName } from './where-values.ts';

export function describePlan({ tables, references }: Plan): PlanDescription {
  return {
    tables: tables.map(describeTable),
    loosened: references.filter(({ detachedBy }) => detachedBy !== null).map(describeReference),
  };
}

function describeTable(table: PlannedTable): DescribedTable {
  return {
    table: table.name,
    ...(table.where.length > 0 && { where: whereOf(table) }),
    match: table.matches.map(describeMatch),
    via: table.vias.map((via) => ({
      parent: via.parent,
      ...(via.entries.join() !== via.parent && { entries: via.entries }),
      columns: pairsOf(via),
    })),
    tenantColumn: table.tenant?.name ?? null,
    tenantBy: table.tenantBy.map((via) => ({ parent: via.parent, columns: pairsOf(via) })),
    effect: effectOf(table),
    shared: table.hasSeveralOwners && !table.isCascaded ? table.shared : null,
    whenUnmatched: table.whenUnmatched,
  };
}

function describeMatch({ type, column, path, trim }: PlannedMatch): DescribedMatch {
  return {
    type,
    column: column.name,
    ...(path !== null && { path: writeJsonPath(path) }),
    ...(trim && { trim }),
  };
}

function whereOf({ where }: PlannedTable): NonNullable<DescribedTable['where']> {
  return byName(
    where.map((one): [string, DescribedWhere] => {
      const { texts, hasNull, isNot } = one;
      const values = [...texts, ...(hasNull ? [null] : [])];
      return [whereName(one), isNot ? { not: values } : values];
    }),
  );
}

function pairsOf({
  columns,
  parentColumns,
}: Pick<PlannedVia, 'columns' | 'parentColumns'>): Record<string, string> {
  return Object.fromEntries(
    columns.map(({ name }, place) => [name, parentColumns[place]?.name ?? '']),
  );
}

function effectOf({ action, isCascaded }: PlannedTable): PlanEffect {
  if (isCascaded) return { kind: 'removed_by_cascade' };
  switch (action.kind) {
    case 'delete':
      return { kind: 'deleted' };
    case 'overwrite':
      return { kind: 'overwritten', columns: Object.keys(action.columns) };
    case 'retain':
      return { kind: 'retained', reason: action.reason };
  }
}

function describeReference(reference: PlannedReference): DescribedReference {
  const { table, parent, entries } = reference;
  return {
    table: table.name,
    parent,
    ...(entries.join() !== parent && { entries }),
    columns: pairsOf(reference),
  };
}

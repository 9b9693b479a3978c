// A plan without what only the connector needs: names of tables and columns, and no SQL.
import type {
  DescribedReference,
  DescribedTable,
  PlanDescription,
  PlanEffect,
} from '../../../domain/plan-description.ts';
import type { Plan, PlannedTable, PlannedVia, Reference } from './plan.ts';

export function describePlan({ tables, loosened }: Plan): PlanDescription {
  return {
    tables: tables.map(describeTable),
    loosened: loosened.map((reference) => describeReference(reference, tables)),
  };
}

function describeTable(table: PlannedTable): DescribedTable {
  return {
    table: table.name,
    match: table.matches.map(({ type, column }) => ({ type, column: column.name })),
    via: table.vias.map((via) => ({ parent: via.parent, columns: pairsOf(via) })),
    tenantColumn: table.tenant?.name ?? null,
    effect: effectOf(table),
    shared: table.hasSeveralOwners && !table.isCascaded ? table.shared : null,
    whenUnmatched: table.whenUnmatched,
  };
}

function pairsOf({ columns, parentColumns }: PlannedVia): Record<string, string> {
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

function describeReference(
  { table, parent, columns, positions }: Reference,
  tables: readonly PlannedTable[],
): DescribedReference {
  const referred = tables.find(({ name }) => name === parent)?.columns ?? [];
  const pairs = columns.map(({ name }, place): [string, string] => [
    name,
    referred[positions[place] ?? -1]?.name ?? '',
  ]);
  return { table, parent, columns: Object.fromEntries(pairs) };
}

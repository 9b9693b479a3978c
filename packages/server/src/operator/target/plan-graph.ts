// The plan of a target as a graph: tables, how rows of one lead to rows of another, and what happens to each.
import type {
  DescribedTable,
  DescribedVia,
  PlanDescription,
} from '../../domain/target/plan-description.ts';

export function planGraph({ tables, loosened }: PlanDescription) {
  const nodes = tables.map(nodeOf);
  const known = new Set(nodes.map(({ table }) => table));
  const staying = [...new Set(loosened.map(({ table }) => table))].filter((it) => !known.has(it));
  return {
    nodes: [...nodes, ...staying.map(stayingNode)],
    edges: [
      ...tables.flatMap(({ table, via }) =>
        via.flatMap((one) => edgesOf(one, table, 'reference' as const)),
      ),
      ...loosened.flatMap((one) => edgesOf(one, one.table, 'emptied' as const)),
    ],
  };
}

function nodeOf(described: DescribedTable) {
  const { table, effect, match, where, tenantColumn, tenantBy, shared, whenUnmatched } = described;
  return {
    table,
    effect: effect.kind as 'deleted' | 'overwritten' | 'retained' | 'removed_by_cascade' | 'stays',
    columns: effect.kind === 'overwritten' ? effect.columns : [],
    reason: effect.kind === 'retained' ? effect.reason : null,
    match,
    where: where ?? null,
    tenant_column: tenantColumn,
    tenant_tables: tenantBy.map(({ parent }) => parent),
    shared,
    when_unmatched: whenUnmatched as 'hold' | 'skip' | null,
  };
}

/** A table that is in the plan only because its rows lose a reference. */
function stayingNode(table: string): ReturnType<typeof nodeOf> {
  return {
    table,
    effect: 'stays' as const,
    columns: [],
    reason: null,
    match: [],
    where: null,
    tenant_column: null,
    tenant_tables: [],
    shared: null,
    when_unmatched: null,
  };
}

function edgesOf<Kind extends string>(
  { parent, entries = [parent], columns }: DescribedVia,
  table: string,
  kind: Kind,
) {
  return entries.map((from) => ({ from, to: table, columns, kind }));
}

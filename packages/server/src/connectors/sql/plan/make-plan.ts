// Lays the configuration over the catalogue. What does not fit stops the target: nothing is guessed.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { TargetDown } from '../../../domain/connector.ts';
import type {
  SqlTargetConfig,
  TableConfig,
  TablesWork,
  ViaConfig,
} from '../../../domain/target.ts';
import type { ColumnShape, TableShape } from '../catalogue.ts';
import { quoteTable, type Schema, type SqlDialect } from '../dialect.ts';
import { cascadedTables, type ForeignReference, foreignReferences } from './foreign-references.ts';
import type { Plan, PlannedMatch, PlannedTable, PlannedVia, Reference } from './plan.ts';
import { sortParentsFirst } from './sort-parents-first.ts';

export function planMisfit(message: string): TargetDown {
  return new TargetDown('plan_misfit', `${message}; run "unwrite target check"`);
}

export function makePlan(
  config: SqlTargetConfig,
  work: TablesWork,
  schema: Schema,
  dialect: SqlDialect,
): Plan {
  const cascaded = cascadedTables(work, schema);
  const configs = [...cascaded, ...work.tables];
  const { loose, cascading } = foreignReferences(work, schema, configs);
  const referenced = new Map<string, Set<string>>();
  const vias = [...configs.flatMap(({ via }) => via), ...loose, ...cascading];
  for (const { parent, columns } of vias) {
    const names = referenced.get(parent) ?? new Set();
    referenced.set(parent, names);
    for (const name of Object.values(columns)) names.add(name);
  }

  const layouts = new Map(
    configs.map((table) => {
      const shape = shapeOf(schema, table.table);
      const key = table.key ?? shape.primaryKey;
      if (key.length === 0)
        throw planMisfit(`the table ${table.table} has no primary key: name its "key" columns`);
      return [table.table, [...new Set([...key, ...(referenced.get(table.table) ?? [])])]];
    }),
  );

  const planVia = (child: string, via: ViaConfig): PlannedVia => ({
    parent: via.parent,
    columns: Object.keys(via.columns).map((name) => columnOf(shapeOf(schema, child), name)),
    positions: Object.values(via.columns).map((name) => {
      const position = layouts.get(via.parent)?.indexOf(name) ?? -1;
      if (position < 0) throw planMisfit(`${child} refers to ${via.parent}, which is not declared`);
      return position;
    }),
  });

  const planReference = (via: ForeignReference): Reference => ({
    ...planVia(via.table, via),
    table: via.table,
    sqlName: quoteTable(dialect, via.table),
  });

  const planned = configs.map((table): PlannedTable => {
    const shape = shapeOf(schema, table.table);
    const matches = plannedMatches(table, shape, schema, config);
    const overwritten = table.action.kind === 'overwrite' ? Object.keys(table.action.columns) : [];
    return {
      name: table.table,
      sqlName: quoteTable(dialect, table.table),
      columns: (layouts.get(table.table) ?? []).map((name) => columnOf(shape, name)),
      keySize: (table.key ?? shape.primaryKey).length,
      matches,
      tenant:
        config.tenancy.way === 'column' && matches.length > 0
          ? columnOf(shape, config.tenancy.column)
          : null,
      vias: table.via.map((via) => planVia(table.table, via)),
      action: table.action,
      overwritten: new Map(overwritten.map((name) => [name, columnOf(shape, name)])),
    };
  });

  return {
    tables: sortParentsFirst(planned),
    erased: planned.filter(({ action }) => action.kind !== 'retain'),
    loosened: loose.map(planReference),
    cascading: cascading.map(planReference),
  };
}

function shapeOf(schema: Schema, table: string): TableShape {
  const shape = schema.catalogue.get(table);
  if (shape === undefined)
    throw planMisfit(`the table ${table} does not exist, or may not be read`);
  return shape;
}

function columnOf(shape: TableShape, name: string): ColumnShape {
  const column = shape.columns.get(name);
  if (column === undefined) throw planMisfit(`the table ${shape.table} has no column ${name}`);
  return column;
}

function plannedMatches(
  table: TableConfig,
  shape: TableShape,
  schema: Schema,
  config: SqlTargetConfig,
): PlannedMatch[] {
  return IDENTITY_TYPES.flatMap((type) => {
    const name = table.match[type];
    if (name === undefined) return [];
    const column = columnOf(shape, name);
    // SQLite's values have types of their own, whatever the column declares.
    if (column.kind === 'binary' && config.connector !== 'sqlite')
      throw planMisfit(
        `the column ${name} of ${table.table} holds bytes, which no identity matches`,
      );
    const isLowerIndexed = schema.lowerIndexed.has(`${table.table}.${name}`);
    return [{ type, column, isLowerIndexed }];
  });
}

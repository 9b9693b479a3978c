// The ways from a row to the people that it may belong to: its matched columns and its references.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { Selected, SqlDialect } from '../dialect.ts';
import type { PlannedTable } from '../plan/plan.ts';
import { selectKey, selectText } from '../select-rows.ts';
import type { SqlRow } from '../session.ts';
import { columnNames, textAt } from '../statement.ts';
import { readMatched, selectMatched } from './matched-value.ts';

export interface RowWays {
  /** In the order of the table's matches; none if the column is NULL. */
  readonly matched: readonly (readonly string[])[];
  /** In the order of the table's references: the child's values. */
  readonly references: readonly KeyRow[];
}

/** The key of each row, followed by the values that children refer to. */
export function selectKeys(dialect: SqlDialect, table: Pick<PlannedTable, 'columns'>): Selected[] {
  return table.columns.map((column, place) => selectKey(dialect, column, `c${place}`));
}

/** Built once, because this runs for every row. */
const KEY_NAMES = columnNames('c', 16);

export function readKeys(table: Pick<PlannedTable, 'columns'>, row: SqlRow): KeyRow {
  const values: (string | null)[] = [];
  for (let place = 0; place < table.columns.length; place++)
    values.push(textAt(row, KEY_NAMES[place] ?? `c${place}`));
  return values;
}

export function selectReferences(
  dialect: SqlDialect,
  { vias }: Pick<PlannedTable, 'vias'>,
): Selected[] {
  return vias.flatMap(({ columns }, way) =>
    columns.map((column, place) => selectKey(dialect, column, `v${way}_${place}`)),
  );
}

export function selectWays(dialect: SqlDialect, table: PlannedTable): Selected[] {
  return [
    ...table.matches.map((match, way) => selectMatched(dialect, match, `w${way}`)),
    ...selectReferences(dialect, table),
  ];
}

/** Read by `tenantsOf`. */
export function selectTenant(
  dialect: SqlDialect,
  { tenant, tenantBy }: Pick<PlannedTable, 'tenant' | 'tenantBy'>,
): Selected[] {
  return [
    ...(tenant === null ? [] : [selectText(dialect, tenant, 't')]),
    ...tenantBy.flatMap(({ columns }, way) =>
      columns.map((column, place) => selectKey(dialect, column, `o${way}_${place}`)),
    ),
  ];
}

export function readTenantReferences(
  { tenantBy }: Pick<PlannedTable, 'tenantBy'>,
  row: SqlRow,
): KeyRow[] {
  return tenantBy.map(({ columns }, way) =>
    columns.map((_, place) => textAt(row, `o${way}_${place}`)),
  );
}

export function readReference(
  { vias }: Pick<PlannedTable, 'vias'>,
  way: number,
  row: SqlRow,
): KeyRow {
  return (vias[way]?.columns ?? []).map((_, place) => textAt(row, `v${way}_${place}`));
}

export function readWays(table: PlannedTable, row: SqlRow): RowWays {
  return {
    matched: table.matches.map((match, way) => readMatched(match, textAt(row, `w${way}`))),
    references: table.vias.map((_, way) => readReference(table, way, row)),
  };
}

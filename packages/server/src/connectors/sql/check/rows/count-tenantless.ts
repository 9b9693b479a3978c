// Counts rows whose tenant column is NULL. They belong to no controller: an identity does not find them, and if
// they refer to the person, the request is held. It reads rows, so it is not part of the gate.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import { whereSql } from '../../find/where-rows.ts';
import type { Plan, PlannedTable } from '../../plan/plan.ts';
import { SqlFailure, type SqlValue } from '../../session.ts';
import type { CheckContext } from '../check-context.ts';
import { note, warning } from '../line.ts';

export async function countTenantless(
  { dialect, read }: CheckContext,
  { tables }: Pick<Plan, 'tables'>,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const table of tables) {
    const { name, sqlName, tenant } = table;
    // Where it is NULL, another row may know the tenant.
    if (tenant === null || !tenant.isNullable || table.tenantBy.length > 0) continue;
    // The statement does not apply a `not`, so entries that exclude NULL are skipped here.
    const isLeftOut = table.where.some(
      ({ column, through, isNot, hasNull }) =>
        through === undefined && column.name === tenant.name && isNot && hasNull,
    );
    if (isLeftOut) continue;
    const values: SqlValue[] = [];
    const where = whereSql(dialect, table, (value) => dialect.placeholder(values.push(value)));
    const sql = `SELECT count(*) AS number FROM ${sqlName} WHERE ${where}${dialect.quote(tenant.name)} IS NULL`;
    try {
      const [row] = await read(sql, values);
      const number = Number(row?.number);
      if (number > 0) lines.push(warning(name, describe(table, tenant.name, number)));
    } catch (error) {
      if (!(error instanceof SqlFailure)) throw error;
      lines.push(note(name, `rows without a tenant could not be counted (${error.code})`));
    }
  }
  return lines;
}

function describe({ matches, vias }: PlannedTable, tenant: string, number: number): string {
  const effects = [
    ...(matches.length > 0 ? ['those that an identity would find are left'] : []),
    ...(vias.some(({ uniqueness }) => uniqueness === 'alone')
      ? ['a request is held where one refers to its rows']
      : []),
  ];
  const effect = effects.length === 0 ? '' : `: ${effects.join(', and ')}`;
  const have = number === 1 ? '1 row has' : `${number} rows have`;
  return `${have} no tenant ("${tenant}" is NULL), so no controller erases them${effect}; give them a tenant, or leave them out of the plan: where: { ${tenant}: { not: null } }`;
}

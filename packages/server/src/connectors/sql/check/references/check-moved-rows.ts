// Columns that change in rows that stay must not be columns of `where` or the tenant: the row would move into
// another entry of its table, or out of its tenant, and count as a different row in the next attempt.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { Follower, Plan, PlannedReference } from '../../plan/plan.ts';
import { whereColumn } from '../../plan/where-values.ts';
import { problem } from '../line.ts';

interface Change {
  readonly table: string;
  readonly columns: readonly string[];
  readonly by: string;
}

export function checkMovedRows(plan: Plan): CheckLine[] {
  const changes = [
    ...plan.references.flatMap(changesOf),
    ...[...plan.tables, ...plan.references].flatMap(({ followers }) =>
      followers.flatMap(following),
    ),
  ];
  const lines = changes.flatMap((change) => [
    ...movedOut(plan, change),
    ...withoutTenant(plan, change),
  ]);
  return [...new Map(lines.map((line) => [line.message, line])).values()];
}

function changesOf({ table, key, detached, isListed }: PlannedReference): Change[] {
  if (detached.length === 0) return [];
  const columns = detached.map(({ name }) => name);
  const by = isListed
    ? `foreign key ${key}, for which ${table.name} is listed under "cascades"`
    : `detach: [${columns.map((name) => `${table.name}.${name}`).join(', ')}]`;
  return [{ table: table.name, columns, by }];
}

function following({ table, columns, followers }: Follower): Change[] {
  const by = `a foreign key with ON UPDATE, for which ${table} is listed under "cascades"`;
  return [{ table, columns, by }, ...followers.flatMap(following)];
}

function movedOut({ tables }: Plan, { table, columns, by }: Change): CheckLine[] {
  const used = tables
    .filter((entry) => entry.table === table)
    .flatMap(({ where }) => where.map((one) => whereColumn(one).name))
    .find((name) => columns.includes(name));
  if (used === undefined) return [];
  return [
    problem(
      table,
      `"${used}" tells the rows of its entries apart (where), and would change in rows that stay (${by}), so a row would come under another entry with the next try; tell the entries apart by another column, or keep "${used}" as it is`,
    ),
  ];
}

function withoutTenant(plan: Plan, { table, columns, by }: Change): CheckLine[] {
  const { tables, references } = plan;
  const known = tables.find((entry) => entry.table === table)?.tenant;
  const tenant = known ?? references.find((one) => one.table.name === table)?.table.tenant;
  if (tenant === undefined || tenant === null || !columns.includes(tenant.name)) return [];
  return [
    problem(
      table,
      `"${tenant.name}" tells one controller's rows from another's, and would change in rows that stay (${by}); let another column of the reference become NULL`,
    ),
  ];
}

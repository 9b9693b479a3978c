// CHECK constraints of MySQL and MariaDB. Two statements and no join: see mysql-catalogue.ts.
import type { ColumnShape } from '../sql/catalogue.ts';
import type { CheckConstraint, Read } from '../sql/check/probe.ts';
import { splitTableName } from '../sql/table-name.ts';
import { plainExpression } from './escaped-expression.ts';
import { inCharacterSet, textOf } from './parameter.ts';

const NAMES = `
  SELECT t.CONSTRAINT_NAME AS name, t.* FROM information_schema.TABLE_CONSTRAINTS t
  WHERE CONSTRAINT_TYPE = 'CHECK' AND TABLE_SCHEMA = coalesce(?, database()) AND TABLE_NAME = ?`;
const CONSTRAINTS = `
  SELECT k.* FROM information_schema.CHECK_CONSTRAINTS k
  WHERE k.CONSTRAINT_SCHEMA = coalesce(?, database())`;

export async function readMysqlConstraints(read: Read, table: string): Promise<CheckConstraint[]> {
  const { schema, name } = splitTableName(table);
  // Only MySQL has constraints that are NOT ENFORCED, and this column.
  const enforced = (await read(NAMES, [schema, name])).filter(({ ENFORCED }) => ENFORCED !== 'NO');
  const names = new Set(enforced.map((row) => String(row.name)));
  const rows = names.size === 0 ? [] : await read(CONSTRAINTS, [schema]);
  return (
    rows
      // Constraint names are unique per table in MariaDB, which returns the table, and per schema in MySQL.
      .filter(({ TABLE_NAME: owner = name }) => owner === name)
      .map((row) => ({
        name: String(row.CONSTRAINT_NAME),
        expression: plainExpression(String(row.CHECK_CLAUSE)),
      }))
      .filter((one) => names.has(one.name))
  );
}

/** Uses the column's own collation: otherwise letters that differ only in case would not be equal. */
export function typedForMysql({ kind, collation }: ColumnShape, placeholder: string): string {
  if (kind === 'integer') return `CAST(${textOf(placeholder)} AS SIGNED)`;
  const [, set] = /^([a-z0-9]+)_\w+$/.exec(collation ?? '') ?? [];
  if (kind !== 'text' || set === undefined || set === 'uca1400') return placeholder;
  return `${inCharacterSet(placeholder, set)} COLLATE ${collation}`;
}

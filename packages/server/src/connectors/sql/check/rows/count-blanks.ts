// Counts values that no identity matches because there are blanks around them. It reads rows, so it is not part
// of the gate.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import { whereSql } from '../../find/where-rows.ts';
import type { Plan, PlannedMatch, PlannedTable } from '../../plan/plan.ts';
import { SqlFailure, type SqlValue } from '../../session.ts';
import type { CheckContext } from '../check-context.ts';
import { note, warning } from '../line.ts';

/**
 * Space, tab, line feed, carriage return. By character code, because MySQL ignores trailing blanks when it
 * compares texts.
 */
const BLANKS = '(9, 10, 13, 32)';

export async function countBlanks(
  context: CheckContext,
  { tables }: Pick<Plan, 'tables'>,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const table of tables)
    for (const match of table.matches) lines.push(...(await countIn(context, table, match)));
  return lines;
}

async function countIn(
  { dialect, probe, read }: CheckContext,
  table: PlannedTable,
  { type, column, path, trim }: PlannedMatch,
): Promise<CheckLine[]> {
  const { name, sqlName } = table;
  // Blanks do not matter there, nor around a document.
  if (trim || path !== null) return [];
  // Numbers have no blanks.
  if (column.kind !== 'text' && dialect.typing.isByColumn) return [];
  const values: SqlValue[] = [];
  const where = whereSql(dialect, table, (value) => dialect.placeholder(values.push(value)));
  const { first, last } = probe.endCodes(dialect.readText(column));
  const hasBlanks = `${first} IN ${BLANKS} OR ${last} IN ${BLANKS}`;
  const sql = `SELECT count(*) AS number FROM ${sqlName} WHERE ${where}(${hasBlanks})`;
  try {
    const [row] = await read(sql, values);
    const number = Number(row?.number);
    if (number === 0) return [];
    const have =
      number === 1 ? '1 value has blanks around it' : `${number} values have blanks around them`;
    return [
      warning(
        name,
        `${have} in "${column.name}", and no ${type} equals such a value; correct the rows, or write { column: ${column.name}, trim: true } in match`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof SqlFailure)) throw error;
    return [
      note(
        name,
        `whether values of "${column.name}" have blanks around them could not be counted (${error.code})`,
      ),
    ];
  }
}

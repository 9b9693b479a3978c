// MariaDB's JSON is a text with a CHECK: the value is a document, in which an identity has quotes around it, so
// a plain comparison would never match.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { CheckContext } from '../check-context.ts';
import { problem } from '../line.ts';

interface MatchedColumn {
  readonly table: string;
  readonly column: string;
}

/** `matched`: text columns that are compared as a whole. */
export async function checkJsonTexts(
  { dialect, probe, read, attempt }: CheckContext,
  matched: readonly MatchedColumn[],
  remedy: (column: string) => string,
): Promise<CheckLine[]> {
  if (!dialect.json.isCheckedText) return [];
  const lines: CheckLine[] = [];
  for (const [table, columns] of Map.groupBy(matched, (one) => one.table)) {
    const told = await attempt(table, async () => {
      const constraints = await probe.constraints(read, table);
      return columns
        .filter(({ column }) => constraints.some((one) => isJsonCheck(one.expression, column)))
        .map(({ column }) =>
          problem(
            table,
            `the column "${column}" holds JSON (CHECK json_valid), which no identity can equal; ${remedy(column)}`,
          ),
        );
    });
    lines.push(...told);
  }
  return lines;
}

function isJsonCheck(expression: string, column: string): boolean {
  return expression.replaceAll('`', '').toLowerCase() === `json_valid(${column.toLowerCase()})`;
}

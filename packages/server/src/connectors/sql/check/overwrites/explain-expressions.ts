// Unique indexes on expressions, over columns that get a different text in each row: asks the database whether
// the expression still differs for two such texts.
import { randomBytes } from 'node:crypto';
import type { CheckLine } from '../../../../domain/target/connector.ts';
import { RANDOM } from '../../../../domain/target/target.ts';
import type { DistinctRule } from '../../catalogue.ts';
import { mentionedColumns } from '../../distinct-rules.ts';
import { HASH_LENGTH, RANDOM_LENGTH } from '../../erase/own-values.ts';
import type { PlannedTable } from '../../plan/plan.ts';
import type { CheckContext } from '../check-context.ts';
import { BY_HAND, problem } from '../line.ts';
import { ask } from '../references/broken-constraints.ts';

export async function explainExpressions(
  context: CheckContext,
  table: PlannedTable,
  rules: readonly DistinctRule[],
  columns: readonly string[],
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const { name, expressions, columns: plain } of rules)
    for (const expression of expressions) {
      const [column, ...others] = mentionedColumns(expression, columns);
      // The values of other columns differ from row to row.
      if (column === undefined || others.length > 0 || plain.length > 0) continue;
      if (await isSameForAll(context, table, column, expression))
        lines.push(
          problem(
            table.table,
            `"${column}" is unique by the index ${name}, on an expression that is the same for all texts that would be written; ${table.overwritten.get(column)?.isNullable ? 'write null' : 'let {random} stand where the expression reads'}, leave it out, or ${BY_HAND}`,
          ),
        );
    }
  return lines;
}

async function isSameForAll(
  { dialect, probe, read }: CheckContext,
  { action, overwritten }: PlannedTable,
  column: string,
  expression: string,
): Promise<boolean> {
  const shape = overwritten.get(column);
  const overwrite = action.kind === 'overwrite' ? action.columns[column] : undefined;
  if (shape === undefined || overwrite === undefined) return false;
  if (overwrite.kind !== 'unique' && overwrite.kind !== 'hash') return false;
  const sample = () => {
    const random = randomBytes(RANDOM_LENGTH).toString('hex');
    return overwrite.kind === 'unique'
      ? overwrite.text.replace(RANDOM, random.slice(0, RANDOM_LENGTH))
      : `uw1:${random.slice(0, HASH_LENGTH - 4)}`;
  };
  const rows = [1, 2].map(
    (place) =>
      `SELECT ${probe.typed(shape, dialect.placeholder(place))} AS ${dialect.quote(column)}`,
  );
  const keys = expression.replaceAll(/\b(?:asc|desc)\b/gi, '');
  const sql = `SELECT DISTINCT ${keys} FROM (${rows.join(' UNION ALL ')}) AS t`;
  const answer = await ask(() => read(sql, [sample(), sample()]));
  if (answer === 'refused' || answer === 'not asked') return false;
  return answer.length === 1 && Object.values(answer[0] ?? {}).every((value) => value !== null);
}

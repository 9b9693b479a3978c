// PostgreSQL reads the values of a statement that it explains, so it can be asked whether a column would
// take them. The other two convert them only when they run it.
import type { CheckLine } from '../../../domain/connector.ts';
import { quoteTable, type SqlDialect } from '../dialect.ts';
import type { Plan } from '../plan/plan.ts';
import { SqlFailure } from '../session.ts';
import type { CheckContext } from './check-context.ts';
import { problem } from './line.ts';
import type { Read } from './probe.ts';

export async function explainOverwrites(
  { config, dialect, probe, read }: CheckContext,
  plan: Plan,
  known: readonly CheckLine[],
): Promise<CheckLine[]> {
  if (config.connector !== 'postgres') return [];
  const lines: CheckLine[] = [];
  for (const { table, action, overwritten } of plan.tables) {
    if (action.kind !== 'overwrite') continue;
    for (const column of overwritten.keys()) {
      const overwrite = action.columns[column];
      const isKnown = known.some(
        (line) => line.subject === table && line.message.startsWith(`"${column}"`),
      );
      if (overwrite?.kind !== 'value' || isKnown) continue;
      if (await takes(read, dialect, probe.explain, table, column, overwrite.value)) continue;
      const type = overwritten.get(column)?.type;
      lines.push(
        problem(table, `"${column}" is ${type}, which cannot hold the value given; correct it`),
      );
    }
  }
  return lines;
}

async function takes(
  read: Read,
  dialect: SqlDialect,
  explain: string,
  table: string,
  column: string,
  value: string | number | boolean,
): Promise<boolean> {
  const set = `SET ${dialect.quote(column)} = ${dialect.placeholder(1)}`;
  const sql = `${explain}UPDATE ${quoteTable(dialect, table)} ${set} WHERE false`;
  try {
    await read(sql, [dialect.assigned(value)]);
    return true;
  } catch (error) {
    // A right that is missing is told elsewhere.
    if (error instanceof SqlFailure) return error.kind !== 'data';
    throw error;
  }
}

// Asks the database which CHECK constraints would refuse certain values, without changing anything.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { ColumnShape } from '../../catalogue.ts';
import { mentionedColumns } from '../../distinct-rules.ts';
import { SqlFailure, type SqlValue } from '../../session.ts';
import type { CheckContext } from '../check-context.ts';

export interface BrokenConstraint {
  readonly name: string;
  /** The columns that it is about. */
  readonly columns: readonly string[];
}

/**
 * Checks only constraints that use no other columns, because the values of others differ from row to row.
 * `columns`: all columns of the table. Returns a line if the database cannot answer.
 */
export async function brokenConstraints(
  { dialect, probe, read, attempt }: CheckContext,
  table: string,
  columns: readonly string[],
  shapes: ReadonlyMap<string, ColumnShape>,
  samples: ReadonlyMap<string, SqlValue>,
): Promise<(BrokenConstraint | CheckLine)[]> {
  const broken: BrokenConstraint[] = [];
  const lines = await attempt(table, async () => {
    for (const { name, expression } of await probe.constraints(read, table)) {
      const named = mentionedColumns(expression, columns);
      if (named.length === 0 || !named.every((column) => samples.has(column))) continue;
      const values = named.map((column) => samples.get(column) ?? null);
      const list = named.map((column, place) => {
        const shape = shapes.get(column);
        const typed = shape === undefined ? '' : probe.typed(shape, dialect.placeholder(place + 1));
        return `${typed} AS ${dialect.quote(column)}`;
      });
      const sql = `SELECT CASE WHEN (${expression}) THEN 1 WHEN NOT (${expression}) THEN 0 END AS ok FROM (SELECT ${list.join(', ')}) AS t`;
      const answer = await ask(() => read(sql, values));
      if (answer === 'refused' || answer === 'not asked' || Number(answer[0]?.ok ?? 1) === 1)
        continue;
      broken.push({ name, columns: named });
    }
    return [];
  });
  return [...lines, ...broken];
}

/** A missing right is reported elsewhere. */
export async function ask<T>(question: () => Promise<T>): Promise<T | 'refused' | 'not asked'> {
  try {
    return await question();
  } catch (error) {
    // A JSON path that cannot be read is a syntax error too; the statement itself has none.
    if (error instanceof SqlFailure)
      return error.kind === 'data' || error.code === 'sql_42601' ? 'refused' : 'not asked';
    throw error;
  }
}

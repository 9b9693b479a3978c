// Asks the database whether columns and CHECK constraints would accept the new values, without changing
// anything. PostgreSQL evaluates the values of a statement that it EXPLAINs, so this also covers domains and
// enumerations; the other two convert values only when a statement runs.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { Overwrite } from '../../../../domain/target/target.ts';
import type { Catalogue, ColumnShape } from '../../catalogue.ts';
import type { SqlDialect } from '../../dialect.ts';
import type { Plan, PlannedTable } from '../../plan/plan.ts';
import type { SqlValue } from '../../session.ts';
import type { CheckContext } from '../check-context.ts';
import { problem } from '../line.ts';
import { ask, brokenConstraints } from '../references/broken-constraints.ts';
import { sampleOverwrite } from './sample-overwrite.ts';

type Samples = ReadonlyMap<string, SqlValue>;

export async function explainOverwrites(
  context: CheckContext,
  plan: Plan,
  catalogue: Catalogue,
  known: readonly CheckLine[],
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const table of plan.tables) {
    const isKnown = (column: string) =>
      known.some(
        ({ level, subject, message }) =>
          level === 'problem' && subject === table.table && message.startsWith(`"${column}"`),
      );
    lines.push(...(await lackedCharacters(context, table, isKnown)));
    const samples = samplesOf(context, table, isKnown);
    if (samples.size === 0) continue;
    const refused = await refusedColumns(context, table, samples);
    for (const column of refused)
      lines.push(
        problem(
          table.table,
          `"${column}" is ${table.overwritten.get(column)?.type}, which cannot hold the value given; correct it`,
        ),
      );
    const taken = new Map([...samples].filter(([column]) => !refused.includes(column)));
    const columns = [...(catalogue.get(table.table)?.columns.keys() ?? [])];
    lines.push(...(await refusedByConstraints(context, table, columns, taken)));
  }
  return lines;
}

function samplesOf(
  { dialect }: CheckContext,
  { action, overwritten }: PlannedTable,
  isKnown: (column: string) => boolean,
): Samples {
  const samples = new Map<string, SqlValue>();
  if (action.kind !== 'overwrite') return samples;
  for (const [name, column] of overwritten) {
    const overwrite = action.columns[name];
    if (overwrite === undefined || isKnown(name)) continue;
    const sample = sampleOverwrite(dialect, column, overwrite);
    if (sample !== undefined) samples.set(name, sample);
  }
  return samples;
}

async function lackedCharacters(
  { dialect, probe, read }: CheckContext,
  { table, action, overwritten }: PlannedTable,
  isKnown: (column: string) => boolean,
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const [name, column] of overwritten) {
    const overwrite = action.kind === 'overwrite' ? action.columns[name] : undefined;
    if (overwrite === undefined || isKnown(name)) continue;
    const lacking = [];
    for (const text of textsOf(dialect, column, overwrite))
      if (await probe.lacks?.(read, column, text)) lacking.push(text);
    if (lacking.length > 0)
      lines.push(
        problem(
          table,
          `"${name}" is in ${column.encoding?.name}, which lacks a character of the value; take another value`,
        ),
      );
  }
  return lines;
}

function textsOf(dialect: SqlDialect, column: ColumnShape, overwrite: Overwrite): string[] {
  const values: unknown[] =
    overwrite.kind === 'json'
      ? Object.values(overwrite.changes).map((change) => JSON.stringify(change))
      : [sampleOverwrite(dialect, column, overwrite)];
  return values.filter((value) => typeof value === 'string');
}

async function refusedColumns(
  { dialect, probe, read }: CheckContext,
  { sqlName, overwritten }: PlannedTable,
  samples: Samples,
): Promise<string[]> {
  const refused: string[] = [];
  for (const [column, sample] of samples) {
    const shape = overwritten.get(column);
    if (shape !== undefined && (await probe.takes?.(read, shape, sample)) === false)
      refused.push(column);
    if (!probe.explainsValues) continue;
    const set = `SET ${dialect.quote(column)} = ${dialect.placeholder(1)}`;
    const sql = `${probe.explain}UPDATE ${sqlName} ${set} WHERE false`;
    const answer = await ask(() => read(sql, [sample]));
    if (answer === 'refused') refused.push(column);
  }
  return refused;
}

async function refusedByConstraints(
  context: CheckContext,
  table: PlannedTable,
  columns: readonly string[],
  samples: Samples,
): Promise<CheckLine[]> {
  const broken = await brokenConstraints(context, table.table, columns, table.overwritten, samples);
  return broken.map((one) =>
    'level' in one
      ? one
      : problem(
          table.table,
          `"${one.columns.join('", "')}" would break the CHECK constraint ${one.name}; overwrite with what it allows`,
        ),
  );
}

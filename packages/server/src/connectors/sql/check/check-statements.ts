// Checks hand-written statements: the database EXPLAINs each, so that a mistake is found before a request is
// affected.
import { type CheckLine, TargetDown } from '../../../domain/target/connector.ts';
import { SQL_PARAMETERS } from '../../../domain/target/sql-parameters.ts';
import type { StatementsWork } from '../../../domain/target/target.ts';
import { withoutRunCheck } from '../run-check.ts';
import { SqlFailure } from '../session.ts';
import { bindStatement, type Run } from '../statements/bind-statement.ts';
import { parseStatement } from '../statements/parse-statement.ts';
import type { CheckContext } from './check-context.ts';
import { acceptable, note, ok, problem } from './line.ts';

/** NULL fits every type. */
export const SAMPLE_RUN = Object.fromEntries(SQL_PARAMETERS.map((name) => [name, null])) as Run;

const UNEXPLAINABLE = /^(call|do|execute|exec)\b/i;
const NOT_A_QUERY = 'changes data, and may only count; write it as a SELECT';

export async function checkStatements(
  context: CheckContext,
  work: StatementsWork,
): Promise<CheckLine[]> {
  const statements = [
    ['sql.preview', work.preview],
    ...work.erase.map((sql, place) => [`sql.erase[${place}]`, sql]),
    ['sql.verify', work.verify],
  ] as const;
  const lines: CheckLine[] = [];
  for (const [name = '', sql = ''] of statements)
    lines.push(await explainStatement(context, name, sql));
  return lines;
}

/** Every word that could be the name of a table in these statements. */
export function wordsIn(work: StatementsWork): string[] {
  const texts = [work.preview, ...work.erase, work.verify];
  const words = texts.flatMap((text) => [
    ...[...text.matchAll(/[`"]([^`"]+)[`"]/g)].map(([, name = '']) => name),
    ...(text.match(/[\p{L}\p{N}_$]+/gu) ?? []),
  ]);
  return [...new Set(words)];
}

async function explainStatement(
  { config, dialect, probe, read }: CheckContext,
  name: string,
  text: string,
): Promise<CheckLine> {
  const isErase = name.startsWith('sql.erase');
  const bare = withoutComments(text);
  if (UNEXPLAINABLE.test(bare) && dialect.proceduresCommit)
    return acceptable(
      'procedures',
      name,
      'calls a procedure, which may commit, so that nothing it changes could be undone; write its statements here instead',
    );
  if (UNEXPLAINABLE.test(bare))
    return note(name, 'calls a procedure, which cannot be checked without running it');
  // With ANALYZE after it, EXPLAIN would run the statement.
  if (/^analy[sz]e\b/i.test(bare)) return problem(name, 'begins with ANALYZE; leave that out');
  if (!isErase && !/^(select|with|values|table|\()/i.test(bare)) return problem(name, NOT_A_QUERY);
  try {
    const { sql, values } = bindStatement(
      dialect,
      parseStatement(config.connector, text),
      SAMPLE_RUN,
    );
    const kind = isErase ? probe.explainsChangesIn : 'read';
    const plan = await read(`${probe.explain}${sql}`, values, kind);
    // PostgreSQL accepts a DELETE inside of WITH.
    if (!isErase && JSON.stringify(plan).includes('"ModifyTable"'))
      return problem(name, NOT_A_QUERY);
    return ok(name, 'is accepted by the database; check yourself what it finds and changes');
  } catch (error) {
    if (error instanceof TargetDown && error.code === 'plan_misfit')
      return problem(name, withoutRunCheck(error));
    if (!(error instanceof SqlFailure)) throw error;
    return problem(
      name,
      `is refused by the database (${error.code}); correct its syntax and names, or grant the account what it needs`,
    );
  }
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trim();
}

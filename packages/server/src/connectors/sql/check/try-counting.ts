// Whether a hand-written preview and verify answer a number where they count nothing: each is run once, for no one.
import { byName } from '../../../domain/by-name.ts';
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { StatementsWork } from '../../../domain/target/target.ts';
import { NeedsDecision } from '../needs-decision.ts';
import { SqlFailure } from '../session.ts';
import { bindStatement } from '../statements/bind-statement.ts';
import { parseStatement } from '../statements/parse-statement.ts';
import { addCounts } from '../statements/read-counts.ts';
import { verifyingStatement } from '../statements/verifying-statement.ts';
import type { CheckContext } from './check-context.ts';
import { SAMPLE_RUN } from './check-statements.ts';
import { problem } from './line.ts';

const NO_ONE = { identities: [] };

/** Only of statements that the database has explained: others may change data. */
export async function tryCounting(
  { config, dialect, database }: CheckContext,
  work: StatementsWork,
  explained: readonly CheckLine[],
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  const { by } = verifyingStatement(work);
  for (const name of new Set(['sql.preview', by] as const)) {
    if (!explained.some(({ subject, level }) => subject === name && level === 'ok')) continue;
    const text = name === 'sql.preview' ? work.preview : work.verify;
    const statement = parseStatement(config.connector, text);
    const { sql, values } = bindStatement(dialect, statement, SAMPLE_RUN);
    try {
      const answer = await database.transaction('read', (session) => session.query(sql, values));
      addCounts(byName<number>(), answer, NO_ONE, name);
    } catch (error) {
      if (error instanceof NeedsDecision) lines.push(problem(name, faultOf(error, name)));
      // A lock, or a time limit, says nothing about its answer.
      else if (!(error instanceof SqlFailure)) throw error;
    }
  }
  return lines;
}

function faultOf({ message }: NeedsDecision, name: string): string {
  return message.replace(`${name} `, '').replace('; restart, then release', '');
}

// Checks that a hand-written preview and verify return a number if nothing matches: each is run once, with
// an identity that does not exist.
import { byName } from '../../../domain/by-name.ts';
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { StatementsWork } from '../../../domain/target/target.ts';
import { SqlFailure } from '../session.ts';
import { bindStatement } from '../statements/bind-statement.ts';
import { parseStatement } from '../statements/parse-statement.ts';
import { addCounts, NoCount } from '../statements/read-counts.ts';
import { verifyingStatement } from '../statements/verifying-statement.ts';
import type { CheckContext } from './check-context.ts';
import { SAMPLE_RUN } from './check-statements.ts';
import { problem } from './line.ts';

const NO_ONE = { identities: [] };

/** Call this only for statements that the database was able to EXPLAIN: others may change data. */
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
      if (error instanceof NoCount) lines.push(problem(name, `answers ${error.fault}`));
      // A lock or a timeout says nothing about the result of the statement.
      else if (!(error instanceof SqlFailure)) throw error;
    }
  }
  return lines;
}

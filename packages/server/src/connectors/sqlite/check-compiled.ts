// SQLite compiles triggers, CHECK constraints, indexes and generated columns into a statement, and refuses the
// statement if one of them uses a function that only the application has: checks this for the changes of a
// plan.
import type { CheckLine } from '../../domain/target/connector.ts';
import { problem } from '../sql/check/line.ts';
import type { Need, Read } from '../sql/check/probe.ts';
import { SqlFailure } from '../sql/session.ts';
import { localName } from './sqlite-catalogue.ts';
import { QUOTED } from './sqlite-file.ts';

const MISSING = /^the database has no ((?:function|table|column|module) [\w$.]+)/;

/** The sqlite3 shell and most languages allow it to be a text. */
const DOUBLE_QUOTES =
  'a trigger, CHECK constraint, index or computed column has a text in double quotes, which only some programs accept; write it in single quotes';

/** The statement is compiled, but not run. */
export async function checkCompiled(read: Read, needs: readonly Need[]): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const { table, isDeleted, written, read: columns } of needs) {
    const name = `main.${quote(localName(table))}`;
    const set = written.map((column) => `${quote(column)} = ${quote(column)}`).join(', ');
    const statements = [
      ['reads', `SELECT ${columns.map(quote).join(', ')} FROM ${name} WHERE 0`],
      ...(isDeleted ? [['deletes from', `DELETE FROM ${name} WHERE 0`]] : []),
      ...(written.length > 0 ? [['overwrites', `UPDATE ${name} SET ${set} WHERE 0`]] : []),
    ] as const;
    for (const [does, sql] of statements) {
      const fault = await refusal(read, table, `EXPLAIN ${sql}`);
      if (fault !== undefined)
        lines.push(problem(table, `what ${does} it is not accepted: ${fault}`));
    }
  }
  return lines;
}

async function refusal(read: Read, table: string, sql: string): Promise<string | undefined> {
  try {
    await read(sql);
    return undefined;
  } catch (error) {
    if (!(error instanceof SqlFailure) || error.kind !== 'other') throw error;
    const [, missing] = MISSING.exec(error.message) ?? [];
    if (error.message.includes(QUOTED)) return DOUBLE_QUOTES;
    if (missing === undefined || (await isParent(read, table, missing))) return undefined;
    return missing.startsWith('function ')
      ? `a trigger, CHECK constraint, index or computed column uses the ${missing}, which only the application has; take it out of there, or write a module target that has it`
      : `a trigger uses the ${missing}, which is not there; correct or drop the trigger`;
  }
}

/** Already reported as a foreign key to a table that does not exist. */
async function isParent(read: Read, table: string, missing: string): Promise<boolean> {
  const [, parent] = /^table (?:main\.)?(.+)$/.exec(missing) ?? [];
  if (parent === undefined) return false;
  const keys = 'SELECT 1 FROM pragma_foreign_key_list(?) WHERE lower("table") = lower(?)';
  return (await read(keys, [localName(table), parent])).length > 0;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

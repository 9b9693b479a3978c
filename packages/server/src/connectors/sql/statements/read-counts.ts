// Reads what a hand-written preview or verify statement returned: one number, or rows of a name and a number.
// Anything else is not a count, and must never pass for 0.
import type { Subject, VerifyingStatement } from '../../../domain/target/connector.ts';
import { canBeCounted } from '../../../domain/target/countable.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { SqlResult, SqlRow } from '../session.ts';

/** The name for a number without a name. */
const ROWS = 'rows';
/** Possible names of tables. An email does not fit: data must not become a name. */
const NAME = /^[\w$ .-]{1,64}$/;
const ONLY_DIGITS = /^[\d.-]+$/;
/** Sums are returned as texts, and those of decimals with their fraction. */
const WHOLE = /^\d+(?:\.0+)?$/;

/** A statement did not answer with counts. */
export class NoCount extends NeedsDecision {
  /** What it answered instead, and what to write. */
  readonly fault: string;

  constructor(statement: VerifyingStatement, fault: string) {
    super('statements_disagree', `${statement} answers ${fault}; reload, then release`);
    this.fault = fault;
  }
}

export function addCounts(
  counts: Record<string, number>,
  answer: Pick<SqlResult, 'rows' | 'columns'>,
  { identities }: Pick<Subject, 'identities'>,
  statement: VerifyingStatement,
): void {
  const fault = shapeFault(answer);
  if (fault !== undefined) throw new NoCount(statement, fault);
  for (const row of answer.rows) {
    const { name, count } = readRow(row, statement);
    if (!NAME.test(name) || identities.some((identity) => identity.reveal() === name))
      throw new NoCount(statement, UNNAMED);
    if (count > 0) counts[name] = (counts[name] ?? 0) + count;
  }
  if (!canBeCounted(counts)) throw new NoCount(statement, `numbers that are too large; ${COUNT}`);
}

const COUNT = 'write count(*)';
const TWO_COUNTS =
  "two columns that are not a name and a number; to count several tables, answer a row for each: SELECT 'users', count(*) … UNION ALL SELECT 'logs', count(*) …";
const UNNAMED =
  "a name that no table has; write the table's name as a text: SELECT 'users', count(*) …";
const NO_ROW =
  'no row where it counts nothing; leave GROUP BY and HAVING out, so that count(*) answers 0';

/** One column is one number. Two columns with the same name are returned as one value. */
function shapeFault({ rows, columns }: Pick<SqlResult, 'rows' | 'columns'>): string | undefined {
  const width = columns ?? Object.keys(rows[0] ?? {}).length;
  if (width === 0) return `nothing; ${COUNT}`;
  if (width > 2) return `${width} columns; ${TWO_COUNTS.replace('two columns', 'columns')}`;
  if (rows.some((row) => Object.keys(row).length !== width)) return TWO_COUNTS;
  if (width === 2) return undefined;
  if (rows.length === 0) return NO_ROW;
  return rows.length > 1 ? `${rows.length} rows without names; ${COUNT}` : undefined;
}

function readRow(
  row: SqlRow,
  statement: VerifyingStatement,
): { readonly name: string; readonly count: number } {
  const [first, second] = Object.values(row);
  const isNamed = Object.keys(row).length === 2;
  if (isNamed && (typeof first !== 'string' || ONLY_DIGITS.test(first)))
    throw new NoCount(statement, TWO_COUNTS);
  const value = isNamed ? second : first;
  if (value === null || value === undefined)
    throw new NoCount(statement, 'NULL; write count(*), or coalesce(sum(…), 0)');
  const count = toCount(value);
  if (count === undefined)
    throw new NoCount(statement, `what is no whole number from 0 on; ${COUNT}`);
  return { name: isNamed ? String(first) : ROWS, count };
}

/** Number('') would be 0. On PostgreSQL, EXISTS returns a truth value. */
function toCount(value: unknown): number | undefined {
  if (typeof value === 'string' && !WHOLE.test(value)) return undefined;
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return undefined;
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

// SQLite's result codes in our words: https://sqlite.org/rescode.html
import { TargetDown } from '../../domain/target/connector.ts';
import { RUN_CHECK } from '../sql/run-check.ts';
import { SqlFailure } from '../sql/session.ts';

const BUSY = 5;
const LOCKED = 6;
const NOT_A_STATEMENT = 1;
const CONSTRAINTS: Readonly<Record<number, string>> = {
  275: 'a CHECK constraint refused it',
  787: 'a foreign key of another table refers to it',
  1299: 'a column may not be NULL',
  1811: 'a trigger, or a foreign key of another table, refused it',
  1555: 'a primary key would be duplicated',
  2067: 'a unique value would be duplicated',
};
const DOWN: Readonly<Record<number, readonly [code: string, message: string]>> = {
  8: ['read_only', 'the database file cannot be written; give the account write permission'],
  10: ['io_error', 'the database file could not be read or written; check the disk'],
  11: ['corrupt', 'the database file is damaged; restore it'],
  13: ['disk_full', 'the disk is full'],
  14: ['unreachable', 'the database file does not exist or cannot be opened; check its path'],
  26: ['corrupt', 'the file is not an SQLite database; check its path'],
};

const REFERENCE = 787;
/** Its text was written by the operator, and is not from the schema. */
const TRIGGER = 1811;
const CONSTRAINT = 19;

interface SqliteFault {
  /** Its columns or its text, as SQLite names it. */
  readonly constraint?: string;
  readonly missing?: string;
  readonly isOfValue?: boolean;
}

export function toSqliteFailure(
  errcode: number,
  { constraint, missing, isOfValue = false }: SqliteFault = {},
): SqlFailure | TargetDown {
  const primary = errcode & 0xff;
  const down = DOWN[primary];
  if (down !== undefined) return new TargetDown(down[0], down[1]);
  if (primary === BUSY || primary === LOCKED)
    return new SqlFailure(
      'lock',
      'lock_timeout',
      'another connection held the database for longer than lock_timeout',
    );
  if (isOfValue)
    return new SqlFailure(
      'data',
      `sql_${errcode}`,
      'the database refused a value: an expression of the table (a CHECK constraint, an index, a computed column) or of a trigger failed on it',
    );
  if (missing !== undefined)
    return new SqlFailure('other', `sql_${errcode}`, `the database has no ${missing}${UNKNOWN}`);
  if (primary === NOT_A_STATEMENT || errcode < 0)
    return new SqlFailure(
      'other',
      `sql_${Math.max(errcode, 1)}`,
      `the database did not accept a statement${RUN_CHECK}`,
    );
  const reason = CONSTRAINTS[errcode] ?? `SQLite code ${errcode}`;
  const name = constraint === undefined ? '' : ` (${constraint})`;
  const message = `the database refused a change: ${reason}${name}`;
  return new SqlFailure('data', `sql_${errcode}`, message, refusedBy(errcode));
}

const UNKNOWN = `, which a statement, or a trigger, CHECK constraint, index or computed column that it runs, names${RUN_CHECK}`;

function refusedBy(errcode: number): SqlFailure['refusedBy'] {
  if (errcode === REFERENCE) return 'reference';
  return (errcode & 0xff) === CONSTRAINT && errcode !== TRIGGER ? 'constraint' : undefined;
}

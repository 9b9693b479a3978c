// MySQL's and MariaDB's error numbers in our words.
import { TargetDown } from '../../domain/target/connector.ts';
import { networkCode } from '../sql/network-code.ts';
import { RUN_CHECK } from '../sql/run-check.ts';
import { SqlFailure } from '../sql/session.ts';

const LOCKS: Readonly<Record<number, readonly [code: string, message: string]>> = {
  1205: ['lock_timeout', 'another transaction held a row for longer than lock_timeout'],
  1213: ['deadlock', 'deadlock with another transaction'],
  1020: ['serialization_failure', 'another transaction changed the same rows'],
  1969: ['statement_timeout', 'a statement took longer than statement_timeout'],
  3024: ['statement_timeout', 'a statement took longer than statement_timeout'],
  1317: ['statement_timeout', 'a statement was interrupted'],
};

const DOWN: Readonly<Record<number, readonly [code: string, message: string]>> = {
  1040: ['too_many_connections', 'the server has no free connection; raise its limit'],
  1203: ['too_many_connections', 'the account has no free connection; raise its limit'],
  1044: ['auth_refused', 'the account may not use this database; grant it'],
  1045: ['auth_refused', 'the server refused the account; check the user name and password'],
  1698: ['auth_refused', 'the server refused the account; check the user name and password'],
  1130: ['auth_refused', 'the server refuses connections from this machine'],
  1049: ['no_database', 'there is no such database on the server; check the address'],
  1053: ['unreachable', 'the server is stopping'],
  1290: ['read_only', 'this server is read-only; give the address of the primary'],
  1836: ['read_only', 'this server is read-only; give the address of the primary'],
  1021: ['disk_full', "the server's disk is full"],
  1114: ['disk_full', 'a table of the server is full'],
};

/** Error numbers about a value or a constraint, although their SQLSTATE is the general one. */
const DATA = new Set([
  1264, 1265, 1366, 1406, 1451, 1452, 1644, 3819, 4025, 1292, 1300, 3854,
  // A text whose characters the other side's character set lacks: only the text makes it one.
  1267, 3988,
]);

const REFERENCE = 1451;
const CONSTRAINTS = new Set([1048, 1062, 1452, 1557, 1586, 1761, 3819, 4025]);

interface ServerError {
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly sqlMessage?: unknown;
}

/**
 * The constraint that the server's message names. A trigger can write such a message too, with any content,
 * so the name is shown only if such a constraint exists.
 */
export function constraintOf(error: unknown): string | undefined {
  const { errno, sqlMessage } = error as ServerError;
  if (errno !== REFERENCE && !CONSTRAINTS.has(Number(errno))) return undefined;
  const [, key, checked, old] =
    /(?:for key '([^']+)'|constraint [`']([^`']+)[`'])|^CONSTRAINT `([^`]+)` failed/i.exec(
      String(sqlMessage),
    ) ?? [];
  // MySQL writes the table before it.
  return (key ?? checked ?? old)?.split('.').at(-1);
}

const NO_DEFINER = 1449;
const DENIED = new Set([1142, 1143, 1227, 1370]);
const NAME = /^[\w$.-]{1,130}$/;

/** The account under which a trigger or routine runs, if that account lacks the right. */
function definerFault({ errno, sqlMessage }: ServerError, user: string | undefined) {
  const text = String(sqlMessage);
  if (errno === NO_DEFINER) {
    const [, name = '', host = ''] = /definer \('([^']*)'@'([^']*)'\)/.exec(text) ?? [];
    return `a trigger, or a routine that it calls, has a definer that does not exist any more${accountOf(name, host)}; create that account again, or make the trigger anew with another one: CREATE OR REPLACE DEFINER = CURRENT_USER TRIGGER …`;
  }
  if (user === undefined || !DENIED.has(Number(errno))) return undefined;
  const [, name, host = ''] = / to user '([^']*)'@'([^']*)'/.exec(text) ?? [];
  if (name === undefined || name === user) return undefined;
  const [, table = ''] = / for table [`']?([^\s]+?)[`']?$/.exec(text) ?? [];
  const bare = table.replaceAll('`', '');
  return `the account as which a trigger runs${accountOf(name, host)} lacks a right${NAME.test(bare) ? ` on ${bare}` : ''}; grant it what the trigger reads and writes`;
}

function accountOf(name: string, host: string): string {
  return NAME.test(name) && /^[\w.%:-]*$/.test(host) ? ` ('${name}'@'${host}')` : '';
}

/** `constraint`: its name, if such a constraint exists. `user`: the account that has logged in. */
export function toMysqlFailure(
  error: unknown,
  constraint?: string,
  user?: string,
): SqlFailure | TargetDown {
  const { errno, sqlState } = error as ServerError;
  // Lower numbers are network errors of the operating system.
  if (typeof errno !== 'number' || errno < 1000 || typeof sqlState !== 'string')
    return new TargetDown(
      'unreachable',
      `the server cannot be reached, or the connection was lost${networkCode(error)}; check the address and the network`,
    );
  const lock = LOCKS[errno];
  if (lock !== undefined) return new SqlFailure('lock', lock[0], lock[1]);
  const down = DOWN[errno];
  if (down !== undefined) return new TargetDown(down[0], down[1]);
  const code = `sql_${errno}`;
  if (DATA.has(errno) || /^(?:22|23|45)/.test(sqlState))
    return new SqlFailure(
      'data',
      code,
      `the server refused a value or a change (error ${errno}${constraint === undefined ? '' : `, constraint ${constraint}`})`,
      refusedBy(errno),
    );
  const fault = definerFault(error as ServerError, user);
  if (fault !== undefined) return new SqlFailure('data', code, fault);
  return new SqlFailure(
    'other',
    code,
    `the server did not accept a statement (error ${errno})${RUN_CHECK}`,
  );
}

function refusedBy(errno: number): SqlFailure['refusedBy'] {
  if (errno === REFERENCE) return 'reference';
  return CONSTRAINTS.has(errno) ? 'constraint' : undefined;
}

// PostgreSQL's SQLSTATEs in our words: https://www.postgresql.org/docs/current/errcodes-appendix.html
import { TargetDown } from '../../domain/target/connector.ts';
import { networkCode } from '../sql/network-code.ts';
import { RUN_CHECK } from '../sql/run-check.ts';
import { SqlFailure } from '../sql/session.ts';

const LOCKS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  '55P03': ['lock_timeout', 'another transaction held a row for longer than lock_timeout'],
  '40P01': ['deadlock', 'deadlock with another transaction'],
  '40001': ['serialization_failure', 'another transaction changed the same rows'],
  '57014': ['statement_timeout', 'a statement took longer than statement_timeout'],
};

const DOWN: readonly (readonly [start: string, code: string, message: string])[] = [
  ['25006', 'read_only', 'this server is read-only; give the address of the primary'],
  ['28', 'auth_refused', 'the server refused the account; check the user name and password'],
  ['3D000', 'no_database', 'there is no such database on the server; check the address'],
  ['53300', 'too_many_connections', 'the server has no free connection; raise its limit'],
  ['53', 'out_of_resources', 'the server is out of memory, disk or another resource'],
  ['57P', 'unreachable', 'the server is starting or stopping'],
  ['08', 'unreachable', 'the connection to the server was lost'],
  ['58', 'io_error', 'the server could not read or write its files'],
  ['XX', 'server_error', 'the server has an internal error; look at its log'],
];

/** A value, a constraint, or a user-defined function caused the error. */
const DATA = /^(?:22|23|44|P0)/;

/**
 * The server's own functions that report what refused a change. A user-defined function can put anything
 * into the names in an error, including the person's data; but it cannot change the name of the function
 * that reports.
 */
const NAMING = new Set([
  'ri_ReportViolation',
  'ExecConstraints',
  'ReportNotNullViolationError',
  '_bt_check_unique',
  'check_exclusion_or_unique_constraint',
]);
const IS_NAME = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/;

interface ServerError {
  readonly code?: unknown;
  readonly table?: unknown;
  readonly constraint?: unknown;
  readonly routine?: unknown;
  /** The functions through which the error came, the innermost first. */
  readonly where?: unknown;
}

export function toPostgresFailure(error: unknown): SqlFailure | TargetDown {
  const { code } = error as ServerError;
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || /^E[A-Z]{4}$/.test(code))
    return new TargetDown(
      'unreachable',
      `the server cannot be reached, or the connection was lost${networkCode(error)}; check the address and the network`,
    );
  const lock = LOCKS[code];
  if (lock !== undefined) return new SqlFailure('lock', lock[0], lock[1]);
  const down = DOWN.find(([start]) => code.startsWith(start));
  if (down !== undefined) return new TargetDown(down[1], down[2]);
  if (DATA.test(code)) {
    const where = whereOf(error as ServerError);
    return new SqlFailure(
      'data',
      `sql_${code}`,
      `the server refused a value${where}`,
      refusedBy(code),
    );
  }
  const inside = functionOf(error as ServerError);
  if (inside !== undefined)
    return new SqlFailure('data', `sql_${code}`, `${inside} ${INSIDE[code] ?? `failed (${code})`}`);
  return new SqlFailure('other', `sql_${code}`, OTHERS[code] ?? DEFAULT);
}

const FUNCTION = /^(?:PL\/pgSQL function ([\w$."]{1,130})\(|SQL function "([\w$]{1,63})")/;

/**
 * If a user-defined function failed, and not our statement: the function that our statement or its trigger
 * called.
 */
function functionOf({ where }: ServerError): string | undefined {
  const [, plain, sql] =
    FUNCTION.exec(
      String(where ?? '')
        .split('\n')
        .at(-1) ?? '',
    ) ?? [];
  const name = plain ?? sql;
  return name === undefined ? undefined : `the function ${name}(), which a trigger runs,`;
}

const INSIDE: Readonly<Record<string, string>> = {
  '42P01':
    'names a table that is not there, or not in the search_path of the account; run: ALTER FUNCTION … SET search_path = <schema>, or ALTER ROLE <account> SET search_path = <schema>',
  '3F000': 'names a schema that is not there; correct the function',
  '42883':
    'calls a function that is not there, or not in the search_path of the account; run: ALTER FUNCTION … SET search_path = <schema>, or ALTER ROLE <account> SET search_path = <schema>',
  '42704':
    'names a type that is not there, or not in the search_path of the account; run: ALTER FUNCTION … SET search_path = <schema>, or ALTER ROLE <account> SET search_path = <schema>',
  '42703': 'names a column that is not there; correct the function',
  '42501':
    'needs a right that the account lacks; grant the account what the function reads and writes, or make the function SECURITY DEFINER',
};

function refusedBy(code: string): SqlFailure['refusedBy'] {
  if (code === '23503' || code === '23001') return 'reference';
  return code.startsWith('23') ? 'constraint' : undefined;
}

function whereOf({ table, constraint, routine }: ServerError): string {
  if (typeof routine !== 'string' || !NAMING.has(routine)) return '';
  const names = Object.entries({ constraint, table }).flatMap(([kind, name]) =>
    typeof name === 'string' && IS_NAME.test(name) ? [`${kind} ${name}`] : [],
  );
  return names.length > 0 ? `: ${names.join(' of ')}` : '';
}

const DEFAULT = `the server did not accept a statement${RUN_CHECK}`;
const OTHERS: Readonly<Record<string, string>> = {
  '42501': `the account may not do this, or row-level security hides rows from it; grant it the right, also what listed triggers need, which run with the rights of the account, or give it BYPASSRLS${RUN_CHECK}`,
  '42883':
    'the server did not accept a statement: types do not fit. Parameters of hand-written statements are text, so compare with a column as text: id::text = :controller_customer_id',
};

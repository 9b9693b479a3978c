// The meaning of a statement depends on settings of the session, for which servers have different defaults or
// which they set for every client (init_connect). All settings that our statements depend on are set here.
import type { Connection as Driver } from 'mysql2/promise';
import type { SqlTargetConfig } from '../../domain/target/target.ts';
import type { SqlRow } from '../sql/session.ts';

const ALL_ROWS = '18446744073709551615';

const SETTINGS = [
  // A value that does not fit is an error, never truncated.
  "sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  "time_zone = '+00:00'",
  // Without these, foreign keys neither prevent a deletion nor set anything to NULL.
  'foreign_key_checks = 1',
  'unique_checks = 1',
  // A truncated result would hide rows of other people.
  `sql_select_limit = ${ALL_ROWS}`,
  `max_join_size = ${ALL_ROWS}`,
  'sql_big_selects = 1',
  'sql_safe_updates = 0',
  'sql_auto_is_null = 0',
  'sql_quote_show_create = 1',
  'autocommit = 1',
  'completion_type = 0',
];

/** Settings that not every server has. */
const OF_SOME_SERVERS = [
  'check_constraint_checks = 1',
  'system_versioning_asof = DEFAULT',
  // A worker that hangs must not keep rows locked.
  'idle_write_transaction_timeout = 10',
  // As a table of columns: newer servers describe a plan as a tree.
  "explain_format = 'TRADITIONAL'",
];
const UNKNOWN_SETTING = 1193;

export async function setUpSession(
  driver: Driver,
  { statementTimeout, lockTimeout }: SqlTargetConfig,
): Promise<void> {
  // Values are transferred as Unicode, and compared by their codes.
  await driver.query("SET NAMES 'utf8mb4' COLLATE 'utf8mb4_bin'");
  const [rows] = await driver.query('SELECT VERSION() AS version');
  const isMariadb = /mariadb/i.test(String((rows as SqlRow[])[0]?.version));
  const timeout = isMariadb
    ? `max_statement_time = ${statementTimeout / 1000}`
    : `max_execution_time = ${Math.ceil(statementTimeout)}`;
  const lockWait = `innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(lockTimeout / 1000))}`;
  await driver.query(`SET SESSION ${[timeout, lockWait, ...SETTINGS].join(', ')}`);
  for (const setting of OF_SOME_SERVERS) {
    try {
      await driver.query(`SET SESSION ${setting}`);
    } catch (error) {
      if ((error as { errno?: number }).errno !== UNKNOWN_SETTING) throw error;
    }
  }
}

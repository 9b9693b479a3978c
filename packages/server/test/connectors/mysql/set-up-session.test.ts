// Defaults of a server, or what it runs for every client, under which statements mean something else.
import { createConnection } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { setUpSession } from '../../../src/connectors/mysql/set-up-session.ts';
import { freshMariadb, hasMariadb, hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { aTarget, tablesWork } from '../sql/sql-target.ts';

const isMysql = await hasMysql();

/** What a session begins with, and what it has to have then. */
const SETTINGS: readonly (readonly [string, string, string])[] = [
  ['foreign_key_checks', '0', '1'],
  ['unique_checks', '0', '1'],
  ['sql_select_limit', '1000', '18446744073709551615'],
  ['sql_safe_updates', '1', '0'],
  ['sql_big_selects', '0', '1'],
  ['sql_auto_is_null', '1', '0'],
  ['completion_type', "'CHAIN'", 'NO_CHAIN'],
  ...(isMysql
    ? ([['explain_format', "'TREE'", 'TRADITIONAL']] as const)
    : ([
        ['check_constraint_checks', '0', '1'],
        ['system_versioning_asof', "'2020-01-01 00:00:00'", 'DEFAULT'],
      ] as const)),
  ['autocommit', '0', '1'],
  [
    'sql_mode',
    "'ANSI_QUOTES'",
    'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  ],
  ['character_set_client', "'latin1'", 'utf8mb4'],
  ['character_set_results', "'latin1'", 'utf8mb4'],
  ['collation_connection', "'latin1_swedish_ci'", 'utf8mb4_bin'],
];

describe.skipIf(!(await hasMariadb()))('a session at MariaDB', () => {
  it('has its own settings, regardless of the server’s defaults', async () => {
    const database = await freshMariadb();
    const driver = await createConnection({
      uri: database.url,
      supportBigNumbers: true,
      bigNumberStrings: true,
    });
    try {
      for (const [name, value] of SETTINGS) await driver.query(`SET SESSION ${name} = ${value}`);
      const work = tablesWork([]);
      await setUpSession(driver, aTarget({ connector: 'mysql', address: database.url }, work));
      for (const [name, , expected] of SETTINGS) {
        const [rows] = await driver.query(`SELECT @@session.${name} AS value`);
        expect([name, String((rows as { value: unknown }[])[0]?.value)]).toEqual([name, expected]);
      }
    } finally {
      await driver.end();
      await database.close();
    }
  });
});

// What a server sets for every connection must not change what our statements read and do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlDatabase } from '../../../src/connectors/sql/create-sql-connector.ts';
import { hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { type DatabaseServer, startGuarded } from '../../helpers/databases/guarded-server.ts';
import { aTarget, tablesWork } from '../sql/sql-target.ts';

const PINNED: readonly (readonly [name: string, odd: string, ours: string])[] = [
  ['foreign_key_checks', '0', 'ON'],
  ['unique_checks', '0', 'ON'],
  ['sql_select_limit', '1', '18446744073709551615'],
  ['max_join_size', '1', '18446744073709551615'],
  ['sql_safe_updates', '1', 'OFF'],
  ['sql_auto_is_null', '1', 'OFF'],
  ['completion_type', '1', 'NO_CHAIN'],
  ['autocommit', '0', 'ON'],
  ['check_constraint_checks', '0', 'ON'],
  ['sql_mode', "''", 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'],
];

describe.skipIf(!(await hasMariadb()))('a connection to MariaDB', () => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await startGuarded('mariadb');
  });
  afterAll(() => server.close());

  const open = () =>
    openSqlDatabase(aTarget({ connector: 'mysql', address: `${server.url}mysql` }, tablesWork([])));

  it('has settings of its own, whatever the server gives to all', async () => {
    const before = open();
    await before.transaction('write', async (session) => {
      for (const [name, odd] of PINNED) await session.query(`SET GLOBAL ${name} = ${odd}`);
    });
    await before.close();
    const after = open();
    const names = PINNED.map(([name]) => `CAST(@@${name} AS CHAR) AS ${name}`).join(', ');
    const { rows } = await after.transaction('read', (session) => session.query(`SELECT ${names}`));
    await after.close();
    expect(rows[0]).toEqual(Object.fromEntries(PINNED.map(([name, , ours]) => [name, ours])));
  });
});

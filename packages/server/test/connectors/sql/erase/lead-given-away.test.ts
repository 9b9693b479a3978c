// The row that knows the tenant of another cannot be given to another tenant between the decision and the commit. Not on
// SQLite, whose file is locked by then.
import { afterEach, expect, it } from 'vitest';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aTable, tablesWork } from '../sql-target.ts';
import { JANE, jane, onEverySqlDatabase, via } from '../use-sql-target.ts';

const NO_WAITING = {
  postgres: [`SET lock_timeout = '100ms'`, 'RESET lock_timeout'],
  mysql: ['SET SESSION innodb_lock_wait_timeout = 0', 'SET SESSION innodb_lock_wait_timeout = 50'],
  sqlite: [],
};

await onEverySqlDatabase(
  'a row that knows the tenant of others',
  ({ query, open, connector: kind }) => {
    const [stop = '', wait = ''] = NO_WAITING[kind];
    afterEach(() => query(wait));

    it('is locked, and no row beside it', async () => {
      await query(`
        CREATE TABLE accounts (id INTEGER PRIMARY KEY, tenant VARCHAR(40));
        CREATE TABLE teams (id INTEGER PRIMARY KEY, account INTEGER);
        CREATE TABLE members (id INTEGER PRIMARY KEY, team INTEGER, email VARCHAR(200));
        INSERT INTO accounts VALUES (1, 'acme'), (2, 'globex');
        INSERT INTO teams VALUES (1, 1), (2, 2);
        INSERT INTO members VALUES (11, 1, '${JANE}'), (12, 2, 'gil@example.com')`);
      const members = aTable('members', {
        match: { email: 'email' },
        tenant: [via('teams', { team: 'id' })],
      });
      const leads = [
        { table: 'teams', tenantColumn: null, tenant: [via('accounts', { account: 'id' })] },
        { table: 'accounts', tenantColumn: null },
      ];
      const refused: string[] = [];
      const attempt = (sql: string) => query(sql).catch(() => refused.push(sql));
      const connector = open(
        [members],
        {
          tenancy: { way: 'column', column: 'tenant', values: {} },
          work: tablesWork([members], { leads }),
        },
        async () => {
          await query(stop);
          await attempt('UPDATE teams SET account = 2 WHERE id = 1');
          await attempt("UPDATE accounts SET tenant = 'globex' WHERE id = 1");
          await attempt('UPDATE teams SET account = 1 WHERE id = 2');
        },
      );
      expect(await eraseFound(connector, [jane()])).toMatchObject([{ outcome: 'erased' }]);
      expect(refused).toEqual([
        'UPDATE teams SET account = 2 WHERE id = 1',
        "UPDATE accounts SET tenant = 'globex' WHERE id = 1",
      ]);
    });
  },
  ['postgres', 'mysql'],
);

// Rows of tables that only "detach" or "cascades" names, without a tenant column: what they refer to tells the tenant.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const PEOPLE = `CREATE TABLE c (id INT PRIMARY KEY, t VARCHAR(9), email VARCHAR(99));
  INSERT INTO c VALUES (1, 'acme', 'jane@x.org'), (2, 'globex', 'jane@x.org'), (3, 'acme', 'bob@x.org');`;
const C = '{ table: c, match: { email: email } }';
const T = '{ table: teams, via: { c: { leader: id } }, action: { overwrite: { name: null } } }';
const key = (column: string, to: string, action = '') =>
  `FOREIGN KEY (${column}) REFERENCES ${to} ${action}`;

describeOnEach('%s', (kind) => {
  for (const [name, action, list] of [
    ['is detached', '', 'detach: [o.cid, o.owner]'],
    ['is detached by its key', 'ON DELETE SET NULL', 'detach: [o.cid, o.owner]'],
    ['loses its reference under cascades', 'ON DELETE SET NULL', 'cascades: [o]'],
    ['goes under cascades', 'ON DELETE CASCADE', 'cascades: [o]'],
  ] as const) {
    const schema = `${PEOPLE} CREATE TABLE o (id INT PRIMARY KEY, cid INT, owner INT,
      ${key('cid', 'c(id)', action)}, ${key('owner', 'c(id)', action)});`;
    itOn(kind)(`a row that ${name} and leads to another tenant too is held`, () =>
      withTarget(
        kind,
        `${schema} INSERT INTO o VALUES (1, 1, 1), (2, 1, 2)`,
        ['tenant_column: t', tables(C), list],
        async (shop) => {
          expect(await shop.problems()).toEqual([]);
          await shop.request();
          expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
          expect(await shop.count('o WHERE cid = 1')).toBe(2);
        },
      ),
    );

    itOn(kind)(`a row that ${name} and leads to others of its tenant is not`, () =>
      withTarget(
        kind,
        `${schema} INSERT INTO o VALUES (1, 1, 1), (2, 1, 3), (3, 1, NULL), (4, 2, 2)`,
        ['tenant_column: t', tables(C), list],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('o WHERE cid = 1')).toBe(0);
          expect(await shop.count('o WHERE id = 4 AND cid = 2')).toBe(1);
        },
      ),
    );
  }

  itOn(kind)('a table that rows stay in tells it too, by any unique column', () =>
    withTarget(
      kind,
      `${PEOPLE} CREATE TABLE teams (id INT PRIMARY KEY, code VARCHAR(9) NOT NULL UNIQUE, t VARCHAR(9), leader INT, name VARCHAR(9));
      CREATE TABLE o (id INT PRIMARY KEY, cid INT, team VARCHAR(9), ${key('cid', 'c(id)')}, ${key('team', 'teams(code)')});
      INSERT INTO teams VALUES (1, 'a', 'acme', NULL, 'x'), (2, 'g', 'globex', NULL, 'y');
      INSERT INTO o VALUES (1, 1, 'a'), (2, 1, 'g')`,
      ['tenant_column: t', tables(T, C), 'detach: [o.cid]'],
      async (shop) => {
        const request = await shop.request();
        expect(await shop.run()).toMatchObject(held('tenant_mismatch'));
        await shop.query("UPDATE o SET team = 'a'");
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      },
    ),
  );
});

// Rows of other people that lose a reference, through the whole service: counted apart in preview, intent and
// evidence, also where the worker died in between.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { held, itOn, KINDS, refused, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE employees (id INTEGER PRIMARY KEY, email VARCHAR(100), manager_id INTEGER,
    FOREIGN KEY (manager_id) REFERENCES employees (id) ON DELETE SET NULL);
  CREATE TABLE projects (id INTEGER PRIMARY KEY, lead_id INTEGER,
    FOREIGN KEY (lead_id) REFERENCES employees (id));
  INSERT INTO employees VALUES (1, 'jane@x.org', NULL), (2, 'bob@x.org', 1), (3, 'eve@x.org', 1), (4, 'al@x.org', 3);
  INSERT INTO projects VALUES (1, 1), (2, 2)`;
const EMPLOYEES = tables('{ table: employees, match: { email: email } }');
const DETACH = 'detach: [employees.manager_id, projects.lead_id]';

describe.each(KINDS)('a manager (%s)', (kind) => {
  itOn(kind)('is held with the lines to write, and goes when they are written', () =>
    withTarget(kind, SCHEMA, ['tenancy: none', EMPLOYEES], async (shop) => {
      const request = await shop.request();
      const { outcomes } = await shop.run();
      expect(outcomes).toMatchObject([
        {
          reason: 'unplanned_change',
          detail: expect.stringContaining('detach: [employees.manager_id]'),
        },
      ]);
      shop.configure(['tenancy: none', EMPLOYEES, 'detach: [employees.manager_id]']);
      await shop.release(request);
      expect(await shop.run()).toMatchObject(held('unplanned_change'));
      shop.configure(['tenancy: none', EMPLOYEES, DETACH]);
      await shop.release(request);
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.evidenceOf(request)).toMatchObject({
        action: 'erased',
        tables: {
          employees: { action: 'delete', rows: 1, detached: 2 },
          projects: { action: 'detach', rows: 0, detached: 1 },
        },
      });
      expect(await shop.count('employees WHERE manager_id IS NULL')).toBe(2);
      expect(await shop.count('projects')).toBe(2);
    }),
  );

  itOn(kind)('is counted with what the attempt did that was cut off', () =>
    withTarget(kind, SCHEMA, ['tenancy: none', EMPLOYEES, DETACH], async (shop) => {
      const request = await shop.request();
      await shop.dieAfterErasing();
      expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
      expect(await shop.evidenceOf(request)).toMatchObject({
        recovered: true,
        tables: {
          employees: { action: 'delete', rows: 1, detached: 2 },
          projects: { action: 'detach', rows: 0, detached: 1 },
        },
      });
    }),
  );

  itOn(kind)('is refused where a listed column is none that could be let go', () =>
    withTarget(
      kind,
      SCHEMA,
      ['tenancy: none', EMPLOYEES, 'detach: [employees.email, employees.boss, projects.id]'],
      async (shop) => {
        expect(await shop.problems()).toEqual([
          expect.stringContaining(
            'employees.email is listed under "detach", and is no foreign key',
          ),
          expect.stringContaining('has no column "boss"'),
          expect.stringContaining('projects.id is listed under "detach", and cannot become NULL'),
        ]);
        await shop.request();
        expect(await shop.run()).toMatchObject(refused('detach'));
      },
    ),
  );
});

describe.each(KINDS)('a customer with an address (%s)', (kind) => {
  itOn(kind)('goes although the two refer to each other', () =>
    withTarget(
      kind,
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(100), home INTEGER${kind === 'SQLite' ? ' REFERENCES addresses (id)' : ''});
      CREATE TABLE addresses (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, FOREIGN KEY (user_id) REFERENCES users (id));
      ${kind === 'SQLite' ? '' : 'ALTER TABLE users ADD CONSTRAINT at_home FOREIGN KEY (home) REFERENCES addresses (id);'}
      INSERT INTO users VALUES (1, 'jane@x.org', NULL), (2, 'bob@x.org', NULL);
      INSERT INTO addresses VALUES (1, 1), (2, 1), (3, 2);
      UPDATE users SET home = 1 WHERE id = 1; UPDATE users SET home = 3 WHERE id = 2`,
      [
        'tenancy: none',
        tables(
          '{ table: users, match: { email: email } }',
          '{ table: addresses, via: { users: { user_id: id } } }',
        ),
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.evidenceOf(request)).toMatchObject({
          tables: { users: { rows: 1 }, addresses: { rows: 2 } },
        });
        expect(await shop.count('addresses')).toBe(1);
      },
    ),
  );
});

const PEOPLE_TWICE = tables(
  '{ table: people, where: { n: [1, 2] }, match: { email: email } }',
  '{ table: people, where: { n: 0 }, match: { email: email }, action: { overwrite: { email: null } } }',
);
const peopleSchema = (action: string, person: number) => `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100), n INTEGER);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, person_id INTEGER,
    FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE ${action});
  INSERT INTO people VALUES (1, 'jane@x.org', 0), (2, 'eve@x.org', 1);
  INSERT INTO orders VALUES (1, ${person})`;
const EVE = [new Identity('email', 'eve@x.org')];

describe.each(KINDS)('a table that is listed twice (%s)', (kind) => {
  for (const line of ['detach: [orders.person_id]', 'cascades: [orders]']) {
    itOn(kind)(`keeps what refers to a row that is overwritten, beside ${line}`, () =>
      withTarget(
        kind,
        peopleSchema('CASCADE', 1),
        ['tenancy: none', PEOPLE_TWICE, line],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('orders WHERE person_id = 1')).toBe(1);
          expect(await shop.count('people WHERE id = 1 AND email IS NULL')).toBe(1);
        },
      ),
    );
  }

  itOn(kind)('detaches what refers to a row that is deleted, once', () =>
    withTarget(
      kind,
      peopleSchema('SET NULL', 2),
      ['tenancy: none', PEOPLE_TWICE, 'detach: [orders.person_id]'],
      async (shop) => {
        const request = await shop.request(EVE);
        await shop.run();
        expect(await shop.evidenceOf(request)).toMatchObject({
          tables: { orders: { action: 'detach', rows: 0, detached: 1 } },
        });
        expect(await shop.count('orders WHERE person_id IS NULL')).toBe(1);
      },
    ),
  );
});

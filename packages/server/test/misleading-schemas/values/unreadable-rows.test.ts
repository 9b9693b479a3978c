// Rows that the server cannot send or convert, and rows that a trigger cannot cope with: neither says anything about
// other rows and other people.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { describeOnEach, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const COMPUTED = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, d jsonb,
    ext INTEGER GENERATED ALWAYS AS ((d ->> 'ext')::int) VIRTUAL);
  INSERT INTO users VALUES (1, '{"ext": "7"}'), (2, '{"ext": "abc"}')`;

describe('a row that cannot be read (PostgreSQL)', () => {
  itOn('PostgreSQL')('is no proof that the person is not there', () =>
    withTarget(
      'PostgreSQL',
      COMPUTED,
      ['tenancy: none', tables('{ table: users, match: { controller_customer_id: ext } }')],
      async (shop) => {
        const request = await shop.request([new Identity('controller_customer_id', '7')]);
        await shop.run();
        expect(await shop.statusOf(request)).not.toBe('completed');
        expect(await shop.count('users')).toBe(2);
      },
    ),
  );
});

const TRIGGERS: Readonly<Record<Kind, string>> = {
  SQLite: `CREATE TRIGGER t1 BEFORE DELETE ON users BEGIN
    UPDATE users SET note = json_extract(OLD.note, '$.a') WHERE id = OLD.id AND OLD.note <> 'x'; END`,
  PostgreSQL: `CREATE FUNCTION f1() RETURNS trigger LANGUAGE plpgsql AS $f$
    BEGIN PERFORM (SELECT id FROM logs WHERE user_id = OLD.id); RETURN OLD; END $f$;
    CREATE TRIGGER t1 BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION f1()`,
  MariaDB: `CREATE TRIGGER t1 BEFORE DELETE ON users FOR EACH ROW
    SET @x = (SELECT id FROM logs WHERE user_id = OLD.id)`,
};
const schema = (kind: Kind) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(50), note VARCHAR(20));
  CREATE TABLE logs (id INTEGER PRIMARY KEY, user_id INTEGER);
  INSERT INTO users VALUES (1, 'jane@x.org', 'no json'), (2, 'bob@x.org', 'x'), (3, 'eve@x.org', 'x');
  INSERT INTO logs VALUES (1, 1), (2, 1), (3, 2);
  ${TRIGGERS[kind]}`;
const PLAN = [
  'tenancy: none',
  tables('{ table: users, match: { email: email } }'),
  'triggers: [t1]',
];

describeOnEach('a trigger that cannot cope with a row (%s)', (kind) => {
  itOn(kind).each([
    ['first', ['jane', 'bob', 'eve']],
    ['between others', ['bob', 'jane', 'eve']],
    ['last', ['bob', 'eve', 'jane']],
  ] as const)('stops nobody else, with the row %s in the batch', (_, people) =>
    withTarget(kind, schema(kind), PLAN, async (shop) => {
      const requests = [];
      for (const name of people)
        requests.push(await shop.request([new Identity('email', `${name}@x.org`)]));
      const { down, outcomes } = await shop.run();
      expect(down).toBeUndefined();
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(
        people.map((name) => (name === 'jane' ? 'failed' : 'erased')),
      );
      expect(await shop.query('SELECT id FROM users')).toEqual([{ id: 1 }]);
    }),
  );

  itOn(kind)('fails only its request, also where there is nobody else', () =>
    withTarget(kind, schema(kind), PLAN, async (shop) => {
      await shop.request();
      const { down, outcomes } = await shop.run();
      expect(down).toBeUndefined();
      expect(outcomes).toMatchObject([
        { outcome: 'failed', code: expect.stringContaining('sql_') },
      ]);
    }),
  );
});

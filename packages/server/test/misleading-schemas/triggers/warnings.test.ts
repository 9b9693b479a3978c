// A trigger that catches its own error: the copy that it was to erase stays, and a WARNING is all that tells.
import { describe, expect } from 'vitest';
import { itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const CUSTOMERS = '{ table: customers, match: { email: email } }';

const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE copies (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL CHECK (customer > 0));
  INSERT INTO customers VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO copies VALUES (1, 1), (2, 2)`;
const FAILING = 'UPDATE copies SET customer = -1 WHERE customer = OLD.id';

/** `how`: what the trigger does if its own statement fails. */
const withCopy = (how: string) => `${SCHEMA};
  CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${FAILING}; RETURN NULL;
    EXCEPTION WHEN OTHERS THEN ${how}; RETURN NULL; END $$;
  CREATE TRIGGER copying AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION f()`;

const TRIGGER = ['tenancy: none', 'triggers: [copying]', 'cascades: [copies]', tables(CUSTOMERS)];
const accept = (finding: string) =>
  `accept: { procedures: "read", "${finding}": "the copy has no names" }`;
const RAISED: readonly (readonly [Kind, string, string, readonly string[], string])[] = [
  [
    'PostgreSQL',
    withCopy("RAISE WARNING 'not copied: %', OLD.email"),
    '01000',
    TRIGGER,
    'when rows of customers were changed',
  ],
  [
    'PostgreSQL',
    withCopy("RAISE WARNING 'not copied' USING ERRCODE = 'UW123'"),
    'UW123',
    TRIGGER,
    'when rows of customers were changed',
  ],
  // MariaDB tells nobody what triggers raise.
  [
    'MariaDB',
    `${SCHEMA}; CREATE PROCEDURE erase_person(mail VARCHAR(100)) BEGIN
      DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SIGNAL SQLSTATE '01234' SET MESSAGE_TEXT = 'not copied';
      DELETE FROM customers WHERE email = mail; ${FAILING.replace('OLD.id', '1')}; END`,
    '1642',
    [
      'controllers: [acme]',
      `sql: { preview: SELECT count(*) FROM customers WHERE email = :email, erase: ["CALL erase_person(:email)"],
        verify: SELECT count(*) FROM customers WHERE email = :email }`,
    ],
    'when rows were changed',
  ],
];

describe('a WARNING while rows are erased', () => {
  for (const [kind, schema, code, plan, when] of RAISED)
    itOn(kind)(`holds the task on ${kind} until ${code} is accepted`, () =>
      withTarget(kind, schema, [...plan, accept('warning:other')], async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        const { outcomes } = await shop.run();
        expect(outcomes).toMatchObject([
          {
            reason: 'unplanned_change',
            detail: expect.stringMatching(new RegExp(`WARNING ${code} ${when}.*"warning:${code}"`)),
          },
        ]);
        expect(JSON.stringify(outcomes)).not.toMatch(/jane|not copied/);
        expect(await shop.count('customers')).toBe(2);
        shop.configure([...plan, accept(`warning:${code}`)]);
        await shop.release(request);
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('customers')).toBe(1);
      }),
    );
});

describe('on PostgreSQL', () => {
  for (const level of ['NOTICE', 'INFO', 'LOG', 'DEBUG'])
    itOn('PostgreSQL')(`a message of the level ${level} holds nothing`, () =>
      withTarget('PostgreSQL', withCopy(`RAISE ${level} 'no'`), TRIGGER, async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
      }),
    );

  itOn('PostgreSQL')('a WARNING is noted too if the trigger is deferred to the end', () =>
    withTarget(
      'PostgreSQL',
      withCopy("RAISE WARNING 'no'").replace(
        'CREATE TRIGGER copying AFTER DELETE ON customers',
        'CREATE CONSTRAINT TRIGGER copying AFTER DELETE ON customers DEFERRABLE INITIALLY DEFERRED',
      ),
      TRIGGER,
      async (shop) => {
        await shop.request();
        expect((await shop.run()).outcomes).toMatchObject([
          { detail: expect.stringContaining('WARNING 01000 when rows were changed') },
        ]);
      },
    ),
  );
});

// Unique indexes on an expression that does not see what makes a text unique; and references by types without equality.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { itOn, tables, withTarget } from '../misled-target.ts';

const schema = (expression: string) => `
  CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(99));
  CREATE UNIQUE INDEX by_part ON u (${expression});
  INSERT INTO u VALUES (1, 'jane@x.org'), (2, 'bob@y.org')`;
const plan = (text: string) => [
  'tenancy: none',
  tables(
    `{ table: u, match: { email: email }, action: { overwrite: { email: { unique: "${text}" } } } }`,
  ),
];

describe.each(['SQLite', 'PostgreSQL'] as const)('%s', (kind) => {
  itOn(kind)('a text that differs only where the expression does not look holds the second', () =>
    withTarget(
      kind,
      schema('substr(email, 1, 6)'),
      plan('erased-{random}@example.invalid'),
      async (shop) => {
        await shop.request([new Identity('email', 'jane@x.org')]);
        await shop.run();
        const second = await shop.request([new Identity('email', 'bob@y.org')]);
        expect(await shop.run()).toMatchObject({
          outcomes: [{ outcome: 'held', detail: expect.stringContaining('by_part') }],
        });
        expect(await shop.count("u WHERE email = 'bob@y.org'")).toBe(1);
        shop.configure(plan('{random}@example.invalid'));
        await shop.release(second);
        await shop.run();
        expect(await shop.statusOf(second)).toBe('completed');
      },
    ),
  );

  itOn(kind)('a text that differs where it looks is taken, for both people', () =>
    withTarget(
      kind,
      schema('lower(email)'),
      plan('erased-{random}@example.invalid'),
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        for (const email of ['jane@x.org', 'bob@y.org']) {
          const request = await shop.request([new Identity('email', email)]);
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
        }
      },
    ),
  );
});

describe.each(['PostgreSQL', 'MariaDB'] as const)('%s', (kind) => {
  itOn(kind)('a reference by points is refused with the reason', () =>
    withTarget(
      kind,
      `CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(99), home POINT);
      CREATE TABLE o (id INTEGER PRIMARY KEY, home POINT)`,
      [
        'tenancy: none',
        tables('{ table: o, via: { u: { home: home } } }', '{ table: u, match: { email: email } }'),
      ],
      async (shop) => {
        expect(await shop.problems()).toContainEqual(
          expect.stringContaining(
            'are of types that cannot be compared; refer by columns of text, whole numbers or UUIDs',
          ),
        );
      },
    ),
  );
});

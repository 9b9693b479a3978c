// Overwriting, from the configuration to the evidence, on schemas on which it once ended in a hold that no
// release resolved, or could be taken for done when it was not.
import { describe, expect } from 'vitest';
import { held, itOn, KINDS, type Kind, tables, withTarget } from '../misled-target.ts';

const ERASED = { outcomes: [{ outcome: 'erased' }] };
const people = (...columns: string[]) => [
  'tenancy: none',
  tables(
    `{ table: people, match: { email: email }, action: { overwrite: { ${columns.join(', ')} } } }`,
  ),
];
const EMAIL = 'email: { unique: "erased-{random}@example.invalid" }';
const TIME: Record<Kind, string> = {
  SQLite: 'TEXT',
  PostgreSQL: 'timestamptz',
  MariaDB: 'DATETIME',
};
const JSON_TYPE: Record<Kind, string> = { SQLite: 'TEXT', PostgreSQL: 'jsonb', MariaDB: 'JSON' };
const schema = (kind: Kind, more = '') => `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE, name VARCHAR(40), score FLOAT,
    data ${JSON_TYPE[kind]}, erased_at ${TIME[kind]} NULL${more});
  INSERT INTO people VALUES (1, 'bob@x.org', 'Bob', 1.5, '{"name": "Bob", "plan": 2}', NULL),
    (2, 'jane@x.org', 'Jane', 2.5, '{"name": "Jane", "plan": 3}', NULL)`;
const ALL = people(
  EMAIL,
  'name: { hash: true }',
  'score: 0.1',
  'data: { json: { "$.name": { remove: true } } }',
  'erased_at: { now: true }',
);

const ORDERS =
  '{ table: orders, via: { people: { mail: email } }, action: { overwrite: { note: null } } }';
const following = (...declared: string[]) => [
  'tenancy: none',
  'cascades: [orders, lines]',
  'ignore: { orders: what follows is overwritten, lines: what follows is overwritten }',
  tables(
    ...declared,
    `{ table: people, match: { email: email }, action: { overwrite: { ${EMAIL}, name: null } } }`,
  ),
];

for (const kind of KINDS) {
  describe(`rows that follow an overwritten column (${kind})`, () => {
    for (const [what, settings] of [
      ['that are only listed', following()],
      ['that are overwritten too', following(ORDERS)],
    ] as const) {
      for (const action of ['CASCADE', 'SET NULL'])
        itOn(kind)(`are no surprise with ON UPDATE ${action} in tables ${what}`, () =>
          withTarget(
            kind,
            `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100) UNIQUE, name VARCHAR(40));
            CREATE TABLE orders (id INTEGER PRIMARY KEY, mail VARCHAR(100) UNIQUE, note VARCHAR(20),
              FOREIGN KEY (mail) REFERENCES people (email) ON UPDATE ${action});
            CREATE TABLE \`lines\` (id INTEGER PRIMARY KEY, mail VARCHAR(100),
              FOREIGN KEY (mail) REFERENCES orders (mail) ON UPDATE ${action});
            INSERT INTO people VALUES (1, 'bob@x.org', 'Bob'), (2, 'jane@x.org', 'Jane');
            INSERT INTO orders VALUES (11, 'jane@x.org', 'n'), (12, 'bob@x.org', 'n');
            INSERT INTO \`lines\` VALUES (21, 'jane@x.org'), (22, 'jane@x.org'), (23, 'bob@x.org')`.replaceAll(
              '`',
              kind === 'MariaDB' ? '`' : '"',
            ),
            settings,
            async (shop) => {
              expect(await shop.problems()).toEqual([]);
              const request = await shop.request();
              expect(await shop.run()).toMatchObject(ERASED);
              expect(await shop.statusOf(request)).toBe('completed');
              expect(await shop.count("orders WHERE mail = 'bob@x.org' AND note = 'n'")).toBe(1);
              expect(await shop.count("orders WHERE mail = 'jane@x.org'")).toBe(0);
            },
          ),
        );
    }
  });

  describe(`people who are overwritten (${kind})`, () => {
    itOn(kind)('are overwritten in every way at once, also when they register again', () =>
      withTarget(kind, schema(kind), ALL, async (shop) => {
        expect(await shop.problems()).toEqual([]);
        for (const id of [3, 4]) {
          const request = await shop.request();
          expect(await shop.run()).toMatchObject(ERASED);
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.evidenceOf(request)).toMatchObject({
            tables: { people: { rows: 1 } },
          });
          await shop.query(
            `INSERT INTO people VALUES (${id}, 'jane@x.org', 'Jane', 2.5, '{"name": "Jane"}', NULL)`,
          );
          shop.later();
        }
        expect(await shop.count("people WHERE email LIKE 'erased-%'")).toBe(2);
        expect(await shop.count("people WHERE name = 'Bob' AND erased_at IS NULL")).toBe(1);
      }),
    );

    itOn(kind)('are counted once where the worker dies after overwriting them', () =>
      withTarget(kind, schema(kind), ALL, async (shop) => {
        const request = await shop.request();
        await shop.dieAfterErasing();
        const [before] = await shop.query('SELECT * FROM people WHERE id = 2');
        expect(await shop.run()).toMatchObject(ERASED);
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.query('SELECT * FROM people WHERE id = 2')).toEqual([before]);
        expect(await shop.evidenceOf(request)).toMatchObject({ tables: { people: { rows: 1 } } });
      }),
    );

    itOn(kind)('are overwritten again, and counted once, where they are still found then', () =>
      withTarget(
        kind,
        schema(kind),
        people('name: null', 'erased_at: { now: true }'),
        async (shop) => {
          const request = await shop.request();
          await shop.runWithoutSecondLook();
          expect(await shop.run()).toMatchObject(ERASED);
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.evidenceOf(request)).toMatchObject({ tables: { people: { rows: 1 } } });
        },
      ),
    );

    itOn(kind)('are not taken for overwritten where nothing was', () =>
      withTarget(kind, schema(kind), ALL, async (shop) => {
        const request = await shop.request();
        await shop.failOnce();
        expect(await shop.run()).toMatchObject(ERASED);
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count("people WHERE email = 'jane@x.org'")).toBe(0);
      }),
    );

    itOn(kind)('are held where their JSON is none, and go on as the hold says', () =>
      withTarget(
        kind,
        schema(kind).replaceAll(JSON_TYPE[kind], 'TEXT'),
        people('data: { json: { "$.name": null } }'),
        async (shop) => {
          await shop.query("UPDATE people SET data = 'Jane' WHERE id = 2");
          const request = await shop.request();
          expect(await shop.run()).toMatchObject(held('not_overwritten'));
          shop.configure(people('data: null'));
          await shop.release(request);
          expect(await shop.run()).toMatchObject(ERASED);
          expect(await shop.statusOf(request)).toBe('completed');
        },
      ),
    );
  });
}

// Rows that no key, or no reference any more, leads to: what becomes of them is on record all the same.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from './misled-target.ts';

const CHILD = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE hits (person_id INTEGER, page VARCHAR(10));
  INSERT INTO people VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO hits VALUES (1, 'a'), (1, 'a'), (2, 'a')`;
const hits = (action: string) => [
  'tenancy: none',
  tables(
    `{ table: hits, via: { people: { person_id: id } }${action} }`,
    '{ table: people, match: { email: email } }',
  ),
];

describeOnEach('on %s, rows without a key', (kind) => {
  itOn(kind)('are not reported as retained if the second query does not find them', () =>
    withTarget(kind, CHILD, hits(', action: { retain: fraud }'), async (shop) => {
      const request = await shop.request();
      await shop.runWhile('DELETE FROM hits WHERE person_id = 1');
      expect((await shop.evidenceOf(request))?.tables).toEqual({
        people: { action: 'delete', rows: 1 },
      });
    }),
  );

  itOn(kind)('are said to be retained where they are there', () =>
    withTarget(kind, CHILD, hits(', action: { retain: fraud }'), async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect((await shop.evidenceOf(request))?.tables?.hits).toMatchObject({
        action: 'retain',
        rows: 2,
      });
    }),
  );

  itOn(kind)('are held where somebody else has deleted what they belonged to', () =>
    withTarget(kind, CHILD, hits(''), async (shop) => {
      const request = await shop.request();
      await shop.failOnce();
      await shop.query('DELETE FROM people WHERE id = 1');
      expect(await shop.run()).toMatchObject(held('orphaned'));
      await shop.query('DELETE FROM hits WHERE person_id = 1');
      await shop.release(request);
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count('hits')).toBe(1);
    }),
  );
});

describeOnEach('on %s, a row that belongs to a retained one', (kind) => {
  itOn(kind)('is not passed over where the retained one was detached', () =>
    withTarget(
      kind,
      `CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, person_id INTEGER,
        FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE SET NULL);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, order_id INTEGER);
      INSERT INTO people VALUES (1, 'jane@x.org');
      INSERT INTO orders VALUES (10, 1);
      INSERT INTO notes VALUES (100, 10)`,
      [
        'tenancy: none',
        'detach: [orders.person_id]',
        tables(
          '{ table: notes, via: { orders: { order_id: id } } }',
          '{ table: orders, via: { people: { person_id: id } }, action: { retain: tax } }',
          '{ table: people, match: { email: email } }',
        ),
      ],
      async (shop) => {
        await shop.request();
        expect(await shop.runWhile('INSERT INTO notes VALUES (101, 10)')).toMatchObject(
          held('orphaned'),
        );
      },
    ),
  );
});

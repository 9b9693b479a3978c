// What a reference reaches is the person's only where the parent's columns name one row.

import { describe, expect, it } from 'vitest';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aTable } from '../sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from '../use-sql-target.ts';

const PEOPLE = aTable('people', { match: { controller_customer_id: 'no', email: 'email' } });

await onEverySqlDatabase('references', (target) => {
  const { query, open, ids } = target;

  describe('along a parent column that is not unique', () => {
    const SUBSCRIPTIONS = aTable('subscriptions', { via: [via('people', { mail: 'contact' })] });
    const fill = () =>
      query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, no VARCHAR(20), email VARCHAR(200), contact VARCHAR(200));
        CREATE TABLE subscriptions (id INTEGER PRIMARY KEY, mail VARCHAR(200));
        INSERT INTO people VALUES (1, 'c-1', '${JANE}', 'home@example.com'), (2, 'c-2', '${JOE}', 'home@example.com'), (3, 'c-3', 'ann@example.com', 'ann@example.com');
        INSERT INTO subscriptions VALUES (11, 'home@example.com'), (13, 'ann@example.com')`);

    it('a row that another person has too is held', async () => {
      await fill();
      expect(await previewOf(open([SUBSCRIPTIONS, PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
        detail: expect.stringContaining('subscriptions'),
      });
    });

    it('a row that no other person shares is erased', async () => {
      await fill();
      await query('DELETE FROM people WHERE id = 2');
      const { erasures } = await eraseWhole(open([SUBSCRIPTIONS, PEOPLE]));
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, subscriptions: 1 } }]);
      expect(await ids('subscriptions')).toEqual([13]);
    });

    it('a row that another person shares is kept', async () => {
      await fill();
      await query('DELETE FROM people WHERE id = 2');
      const connector = open([SUBSCRIPTIONS, PEOPLE]);
      await query(`INSERT INTO people VALUES (4, 'c-4', 'new@example.com', 'home@example.com')`);
      const [erasure] = await eraseFound(connector, [jane()]);
      expect(erasure).toMatchObject({ outcome: 'held', reason: 'shared' });
      expect(await ids('subscriptions')).toEqual([11, 13]);
    });
  });

  it('two columns that may refer to the parent are two references, each of which counts', async () => {
    await query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, no VARCHAR(20), email VARCHAR(200));
      CREATE TABLE friendships (id INTEGER PRIMARY KEY, user_a INTEGER, user_b INTEGER);
      INSERT INTO people VALUES (1, 'c-1', '${JANE}'), (2, 'c-2', '${JOE}');
      INSERT INTO friendships VALUES (11, 1, 2), (12, 2, 1), (13, 2, 2), (14, 1, NULL)`);
    const friendships = aTable('friendships', {
      via: [via('people', { user_a: 'id' }), via('people', { user_b: 'id' })],
      shared: 'erase',
    });
    const { erasures } = await eraseWhole(open([friendships, PEOPLE]));
    expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, friendships: 3 } }]);
    expect(await ids('friendships')).toEqual([13]);
  });

  it('NULL in any column means that there is no reference', async () => {
    await query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, region INTEGER, seat INTEGER, no VARCHAR(20), email VARCHAR(200));
      CREATE UNIQUE INDEX seats ON people (region, seat);
      CREATE TABLE visits (id INTEGER PRIMARY KEY, region INTEGER, seat INTEGER);
      INSERT INTO people VALUES (1, 1, NULL, 'c-1', '${JANE}'), (2, 2, 7, 'c-2', '${JANE}'), (3, 2, 8, 'c-3', '${JOE}');
      INSERT INTO visits VALUES (11, 1, NULL), (12, 2, 7), (13, 2, NULL), (14, NULL, 7), (15, 2, 8)`);
    const visits = aTable('visits', {
      via: [via('people', { region: 'region', seat: 'seat' })],
    });
    await eraseWhole(open([visits, PEOPLE]));
    expect(await ids('visits')).toEqual([11, 13, 14, 15]);
  });

  it('a row that can match several identities of one type has several owners', async () => {
    await query(`
      CREATE TABLE messages (id INTEGER PRIMARY KEY, sender VARCHAR(200), recipient VARCHAR(200));
      INSERT INTO messages VALUES (11, '${JANE}', '${JOE}'), (12, '${JANE}', NULL), (13, '${JOE}', '${JOE}')`);
    const messages = (shared: 'hold' | 'erase') =>
      aTable('messages', {
        match: [
          { type: 'email', column: 'sender' },
          { type: 'email', column: 'recipient' },
        ],
        shared,
      });
    expect(await previewOf(open([messages('hold')]))).toMatchObject({ reason: 'shared' });
    await eraseWhole(open([messages('erase')]));
    expect(await ids('messages')).toEqual([13]);
  });
});

await onEverySqlDatabase(
  'an index that does not cover every row',
  ({ query, open }) => {
    it.each([
      ['is partial', 'CREATE UNIQUE INDEX codes ON people (code) WHERE active = 1'],
      ['is on an expression', 'CREATE UNIQUE INDEX codes ON people ((code || no))'],
    ])('proves nothing if it %s', async (_, index) => {
      await query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, no VARCHAR(20), email VARCHAR(200), code VARCHAR(20), active INTEGER);
        CREATE TABLE visits (id INTEGER PRIMARY KEY, code VARCHAR(20));
        ${index};
        INSERT INTO people VALUES (1, 'c-1', '${JANE}', 'abc', 1), (2, 'c-2', '${JOE}', 'abc', 0);
        INSERT INTO visits VALUES (11, 'abc')`);
      const visits = aTable('visits', { via: [via('people', { code: 'code' })] });
      expect(await previewOf(open([visits, PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
    });
  },
  ['sqlite', 'postgres'],
);

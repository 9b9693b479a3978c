// A row that is also tied to somebody outside the request: `shared` decides, and says so.

import { describe, expect, it } from 'vitest';
import type { Shared } from '../../../../src/domain/target/target.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aSubject, aTable, email, isFound } from '../sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from '../use-sql-target.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });

await onEverySqlDatabase('shared rows', (target) => {
  const { query, open, ids } = target;

  describe('a household that its members refer to', () => {
    // The household is the child here: it belongs to whoever lives in it.
    const HOUSEHOLDS = (shared: Shared) =>
      aTable('households', { via: [via('people', { id: 'household' })], shared });
    const LETTERS = aTable('letters', { via: [via('households', { household: 'id' })] });
    const fill = () =>
      query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200), household INTEGER);
        CREATE TABLE households (id INTEGER PRIMARY KEY);
        CREATE TABLE letters (id INTEGER PRIMARY KEY, household INTEGER);
        INSERT INTO people VALUES (1, '${JANE}', 7), (2, '${JOE}', 7), (3, 'ann@example.com', 8);
        INSERT INTO households VALUES (7), (8);
        INSERT INTO letters VALUES (71, 7), (81, 8)`);

    it('is held for the first of them, and nothing is changed', async () => {
      await fill();
      expect(await previewOf(open([HOUSEHOLDS('hold'), PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
        detail: expect.stringMatching(/households.*"shared: erase" or "shared: keep"/),
      });
      expect(await ids('households')).toEqual([7, 8]);
    });

    it('is erased if the plan says so', async () => {
      await fill();
      await eraseWhole(open([LETTERS, HOUSEHOLDS('erase'), PEOPLE]));
      expect(await ids('households')).toEqual([8]);
      expect(await ids('letters')).toEqual([81]);
    });

    it('is kept if the plan says so, with rows reached only through it, and is reported', async () => {
      await fill();
      const { previews, erasures } = await eraseWhole(open([LETTERS, HOUSEHOLDS('keep'), PEOPLE]));
      expect(isFound(previews[0])).toMatchObject({
        counts: { people: 1 },
        kept: { households: [expect.anything()], letters: [expect.anything()] },
      });
      expect(erasures).toMatchObject([{ outcome: 'erased', counts: { people: 1 } }]);
      expect(await ids('people')).toEqual([2, 3]);
      expect(await ids('households')).toEqual([7, 8]);
      expect(await ids('letters')).toEqual([71, 81]);
    });

    it('is erased without a question for the last of them', async () => {
      await fill();
      const { erasures } = await eraseWhole(
        open([LETTERS, HOUSEHOLDS('hold'), PEOPLE]),
        aSubject(1, [email('ann@example.com')]),
      );
      expect(erasures).toEqual([
        { outcome: 'erased', counts: { people: 1, households: 1, letters: 1 } },
      ]);
    });

    it('is not shared if all of its members are of the request', async () => {
      await fill();
      const both = aSubject(1, [email(JANE), email(JOE)]);
      await eraseWhole(open([LETTERS, HOUSEHOLDS('hold'), PEOPLE]), both);
      expect(await ids('households')).toEqual([8]);
    });

    it('is shared even if the other member is of another request of the batch', async () => {
      await fill();
      const connector = open([HOUSEHOLDS('hold'), PEOPLE]);
      const previews = await connector.preview([jane(1), aSubject(2, [email(JOE)])]);
      expect(previews).toMatchObject([{ reason: 'shared' }, { reason: 'shared' }]);
    });
  });

  describe('an attachment of several kinds of owners', () => {
    const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });
    const FILES = (shared: Shared) =>
      aTable('files', {
        via: [via('people', { person: 'id' }), via('orders', { order_id: 'id' })],
        shared,
      });
    const fill = () =>
      query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
        CREATE TABLE files (id INTEGER PRIMARY KEY, person INTEGER, order_id INTEGER);
        INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}');
        INSERT INTO orders VALUES (11, 1), (12, 2);
        INSERT INTO files VALUES (21, 1, 11), (22, 1, NULL), (23, NULL, 11), (24, 2, 12)`);

    it('is the person’s if every way leads to the person', async () => {
      await fill();
      const { erasures } = await eraseWhole(open([FILES('hold'), ORDERS, PEOPLE]));
      expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 1, orders: 1, files: 3 } }]);
      expect(await ids('files')).toEqual([24]);
    });

    it.each([
      ['to somebody else', '1, 12'],
      ['to no row at all', '1, 99'],
    ])('is held if one way leads %s', async (_, ways) => {
      await fill();
      await query(`INSERT INTO files VALUES (25, ${ways})`);
      expect(await previewOf(open([FILES('hold'), ORDERS, PEOPLE]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
    });

    it('a shared attachment is held, and nothing is changed', async () => {
      await fill();
      const connector = open([FILES('hold'), ORDERS, PEOPLE]);
      await query('UPDATE files SET order_id = 12 WHERE id = 22');
      expect(await eraseFound(connector, [jane()])).toMatchObject([
        { outcome: 'held', reason: 'shared' },
      ]);
      expect(await ids('files')).toEqual([21, 22, 23, 24]);
    });

    it('a shared attachment is kept if the plan keeps shared rows', async () => {
      await fill();
      const connector = open([FILES('keep'), ORDERS, PEOPLE]);
      await query('UPDATE files SET order_id = 12 WHERE id = 22');
      expect(await eraseFound(connector, [jane()])).toMatchObject([
        { outcome: 'erased', counts: { files: 2 } },
      ]);
      expect(await ids('files')).toEqual([22, 24]);
    });
  });

  it('a match next to a reference is another way to the person', async () => {
    await query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
      CREATE TABLE posts (id INTEGER PRIMARY KEY, person INTEGER, author VARCHAR(200));
      INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}');
      INSERT INTO posts VALUES (11, 1, '${JANE}'), (12, 2, NULL), (13, 2, '${JANE}')`);
    const posts = (shared: Shared) =>
      aTable('posts', {
        match: { email: 'author' },
        via: [via('people', { person: 'id' })],
        shared,
      });
    expect(await previewOf(open([posts('hold'), PEOPLE]))).toMatchObject({ reason: 'shared' });
    await eraseWhole(open([posts('keep'), PEOPLE]));
    expect(await ids('posts')).toEqual([12, 13]);
  });
});

// A UUID that a lookup (`resolve`) found, in columns of texts that write it otherwise.
import { expect } from 'vitest';
import { hasMysql } from '../../helpers/databases/fresh-mariadb.ts';
import { describeOnEach, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const ID = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
const OTHER = 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
const TYPES: Record<Kind, readonly string[]> = {
  SQLite: ['VARCHAR(40)'],
  PostgreSQL: ['uuid', 'varchar(40)'],
  MariaDB: [...((await hasMysql()) ? [] : ['UUID']), 'VARCHAR(40)'],
};
const RESOLVE =
  'resolve: { table: people, from: { email: email }, to: { controller_customer_id: no } }';
const PLAN = tables(
  '{ table: letters, match: { controller_customer_id: customer } }',
  '{ table: people, match: { email: email } }',
);
const SPELLINGS = [
  ID,
  ID.toUpperCase(),
  ID.replaceAll('-', ''),
  ID.replaceAll('-', '').toUpperCase(),
];

const schema = (type: string, stored: string, letters: readonly string[]) => `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(80), no ${type});
  CREATE TABLE letters (id INTEGER PRIMARY KEY, customer VARCHAR(40));
  INSERT INTO people VALUES (1, 'jane@x.org', '${stored}'), (2, 'joe@x.org', '${OTHER}');
  INSERT INTO letters VALUES ${letters.map((text, no) => `(${no}, '${text}')`).join(', ')}`;

describeOnEach('%s', (kind) => {
  itOn(kind).each(TYPES[kind])('is found in all its spellings (%s)', async (type) => {
    for (const stored of [ID, ID.toUpperCase()])
      await withTarget(
        kind,
        schema(type, stored, [...SPELLINGS, OTHER, OTHER.toUpperCase()]),
        ['tenancy: none', RESOLVE, PLAN],
        async (shop) => {
          const request = await shop.request();
          await shop.run();
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
          expect(await shop.count('letters')).toBe(2);
          expect(await shop.evidenceOf(request)).toMatchObject({
            tables: { letters: { rows: 4 } },
          });
        },
      );
  });

  itOn(kind)('a text that is no UUID is found as it is stored', () =>
    withTarget(
      kind,
      schema('VARCHAR(40)', 'Ab-1', ['Ab-1', 'AB-1', 'ab-1', 'Ab1']),
      ['tenancy: none', RESOLVE, PLAN],
      async (shop) => {
        await shop.request();
        await shop.run();
        await shop.run();
        expect(await shop.count('letters')).toBe(3);
      },
    ),
  );
});

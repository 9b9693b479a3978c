// Identities in the items of lists inside JSON: `$.guests[*].email`.
import { beforeEach, describe, expect, it } from 'vitest';
import { EACH } from '../../../../src/domain/target/json-path.ts';
import type { JsonChange, TableConfig } from '../../../../src/domain/target/target.ts';
import { aSubject, aTable, customerId, isFound } from '../sql-target.ts';
import { eraseWhole, JANE, JOE, onEverySqlDatabase, previewOf } from '../use-sql-target.ts';

const GUESTS = ['responses', 'guests', EACH, 'email'];
const bookings = (
  changes: Partial<TableConfig> = {},
  path: readonly (string | number)[] = GUESTS,
) => aTable('bookings', { match: [{ type: 'email', column: 'data', path }], ...changes });
const guests = (...emails: readonly unknown[]) => ({
  responses: { guests: emails.map((email) => ({ email, name: 'x' })) },
});

await onEverySqlDatabase('identities in lists of JSON', ({ connector, query, open, ids }) => {
  const types = { postgres: ['jsonb', 'json'], mysql: ['json', 'text'], sqlite: ['TEXT'] }[
    connector
  ];
  const insert = (id: number, document: string) => {
    const quoted = connector === 'mysql' ? document.replaceAll('\\', '\\\\') : document;
    return query(`INSERT INTO bookings VALUES (${id}, '${quoted.replaceAll("'", "''")}')`);
  };
  const add = (id: number, value: unknown) => insert(id, JSON.stringify(value));
  const read = async (id: number) => {
    const [row] = await query(
      `SELECT CAST(data AS ${connector === 'mysql' ? 'CHAR' : 'TEXT'}) AS data FROM bookings WHERE id = ${id}`,
    );
    return JSON.parse(String(row?.data));
  };

  describe.each(types)('of type %s', (type) => {
    beforeEach(() => query(`CREATE TABLE bookings (id INTEGER PRIMARY KEY, data ${type})`));

    it('are found in every item, and nowhere else', async () => {
      await add(1, guests(JANE));
      await add(2, guests(null, '', JANE.toUpperCase()));
      await insert(3, '{"responses": {"guests": [{"email": "jane\\u0040example.com"}]}}');
      await add(4, guests(JOE));
      await add(5, { responses: { guests: { email: JANE } } });
      await add(6, { responses: { guests: [JANE, [{ email: JANE }]], email: JANE } });
      await add(7, guests(`${JANE}.au`));
      await add(8, guests());
      await add(9, null);
      await query('INSERT INTO bookings VALUES (10, NULL)');
      const { previews } = await eraseWhole(open([bookings()]));
      expect(isFound(previews[0]).counts).toEqual({ bookings: 3 });
      expect(await ids('bookings')).toEqual([4, 5, 6, 7, 8, 9, 10]);
    });

    it('a list of texts, and numbers in a list of lists', async () => {
      await add(1, { cc: [JOE, JANE], no: [[1], [7, 12]] });
      await add(2, { cc: [JOE], no: [[12], ['7']] });
      await add(3, { cc: [], no: [[17, 70, '07']] });
      const cc = bookings({ shared: 'erase' }, ['cc', EACH]);
      expect(isFound(await previewOf(open([cc]))).counts).toEqual({ bookings: 1 });
      const numbers = aTable('bookings', {
        match: [{ type: 'controller_customer_id', column: 'data', path: ['no', EACH, EACH] }],
        shared: 'erase',
      });
      const subject = aSubject(1, [customerId('7')]);
      expect(isFound(await previewOf(open([numbers]), subject)).counts).toEqual({ bookings: 2 });
    });

    it('the other people in the list have the row too', async () => {
      await add(1, guests(JANE, JOE));
      await add(2, guests(JANE, JANE.toUpperCase()));
      expect(await previewOf(open([bookings()]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
      await eraseWhole(open([bookings({ shared: 'keep' })]));
      expect(await ids('bookings')).toEqual([1]);
      await eraseWhole(open([bookings({ shared: 'erase' })]));
      expect(await ids('bookings')).toEqual([]);
    });

    it('a part of every item is overwritten, or removed', async () => {
      await add(1, { ...guests(JANE, JOE), cc: [JANE, JOE], kept: ['a', { b: 1 }] });
      await add(2, { ...guests(JOE), cc: [JOE] });
      const changes: Record<string, JsonChange> = {
        '$.responses.guests[*].email': { kind: 'value', value: null },
        '$.responses.guests[*].name': { kind: 'remove' },
        '$.cc[*]': { kind: 'remove' },
      };
      const action = { kind: 'overwrite', columns: { data: { kind: 'json', changes } } } as const;
      await eraseWhole(open([bookings({ shared: 'erase', action })]));
      expect(await read(1)).toEqual({
        responses: { guests: [{ email: null }, { email: null }] },
        cc: [],
        kept: ['a', { b: 1 }],
      });
      expect(await read(2)).toEqual({ ...guests(JOE), cc: [JOE] });
    });

    it('a document that does not say whose it is holds the request', async () => {
      await insert(1, JSON.stringify({ responses: JSON.stringify(guests(JANE).responses) }));
      await insert(2, `{"responses": {"guests": [{"email": "x", "email": "${JANE}"}]}}`);
      const preview = await previewOf(open([bookings()]));
      expect(preview).toMatchObject({ outcome: 'held', reason: 'ambiguous_reference' });
    });
  });
});

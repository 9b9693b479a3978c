// Parts of JSON documents, overwritten and removed.

import { expect, it } from 'vitest';
import type { JsonChange, Overwrite, SqlConnector } from '../../../../src/domain/target/target.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aTable, GONE, passThrough, toOrder } from '../sql-target.ts';
import { eraseWhole, JANE, JOE, jane, onEverySqlDatabase, previewOf } from '../use-sql-target.ts';

const REMOVE: JsonChange = { kind: 'remove' };
const set = (value: string | number | boolean | null): JsonChange => ({ kind: 'value', value });
const CHANGES: Overwrite = {
  kind: 'json',
  changes: {
    '$.contact.name': set(null),
    '$.contact.email': REMOVE,
    '$["full name"]': set('erased'),
    '$.phones[0]': set(''),
    '$.never.there': set('x'),
  },
};
const PROFILES = aTable('profiles', {
  match: { email: 'email' },
  action: { kind: 'overwrite', columns: { data: CHANGES } },
});
const TYPES: Record<SqlConnector, readonly string[]> = {
  sqlite: ['TEXT', 'JSON'],
  postgres: ['jsonb', 'json', 'text'],
  mysql: ['JSON', 'LONGTEXT'],
};
const HERS = `{"contact": {"name": "Jane", "email": "${JANE}", "since": 2001}, "full name": "Jane Doe", "phones": ["1", "2"], "n": 12345678901234567890}`;

await onEverySqlDatabase('overwriting of JSON', ({ query, open, connector }) => {
  const read = async (id: number) =>
    (
      await query(
        `SELECT CAST(data AS ${connector === 'mysql' ? 'CHAR' : 'TEXT'}) AS data FROM profiles WHERE id = ${id}`,
      )
    )[0]?.data;
  const make = (type: string) =>
    query(`CREATE TABLE profiles (id INTEGER PRIMARY KEY, email VARCHAR(80), data ${type});
      INSERT INTO profiles VALUES (1, '${JANE}', '${HERS}'), (2, '${JOE}', '${HERS}'), (3, '${JANE}', NULL)`);

  it.each(TYPES[connector])('changes what is named and nothing else, in %s', async (type) => {
    await make(type);
    const { erasures, orders } = await eraseWhole(open([PROFILES]));
    // NULL has nothing to overwrite.
    expect(erasures).toEqual([{ outcome: 'erased', counts: { profiles: 1 } }]);
    const text = String(await read(1));
    expect(JSON.parse(text)).toEqual({
      contact: { name: null, since: 2001 },
      'full name': 'erased',
      phones: ['', '2'],
      n: expect.any(Number),
    });
    expect(text).toContain('12345678901234567890');
    expect(JSON.parse(String(await read(2)))).toEqual(JSON.parse(HERS));
    expect(await open([PROFILES]).verify(orders)).toEqual([GONE]);
    expect((await passThrough(open([PROFILES]), [jane(2)])).erasures).toEqual([
      { outcome: 'erased', counts: {} },
    ]);
  });

  it('is seen if an application has written the part again', async () => {
    await make(TYPES[connector][0] ?? '');
    const { orders } = await eraseWhole(open([PROFILES]));
    await query(`UPDATE profiles SET data = '{"contact": {"name": "Jane"}}' WHERE id = 1`);
    expect(await open([PROFILES]).verify(orders)).toEqual([
      { outcome: 'remains', counts: { profiles: 1 } },
    ]);
  });

  it('treats blank text as nothing', async () => {
    await make('TEXT');
    await query("UPDATE profiles SET data = '' WHERE id = 1");
    const { verdicts, erasures } = await passThrough(open([PROFILES]), [jane()]);
    expect(erasures).toEqual([{ outcome: 'erased', counts: {} }]);
    expect(verdicts).toEqual([GONE]);
  });

  it('holds if a text is not JSON, changes nothing, and continues once it is', async () => {
    await make('TEXT');
    await query(`INSERT INTO profiles VALUES (4, '${JANE}', 'name: Jane')`);
    const target = open([PROFILES]);
    const order = toOrder(jane(), await previewOf(target));
    expect(await eraseFound(target, [order])).toMatchObject([
      {
        outcome: 'held',
        reason: 'not_overwritten',
        detail: expect.stringContaining('"data" of profiles holds a text that is not JSON'),
      },
    ]);
    expect(await read(1)).toBe(HERS);
    await query(`UPDATE profiles SET data = '{}' WHERE id = 4`);
    await eraseWhole(target);
    expect(await read(4)).toBe('{}');
  });
});

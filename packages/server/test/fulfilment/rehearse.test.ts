// What erasing would do, done by the database itself and rolled back.
import { expect, it } from 'vitest';
import type { HttpTargetConfig, TargetConfig } from '../../src/domain/target/target.ts';
import { rehearse } from '../../src/fulfilment/rehearse.ts';
import { aTable, aTarget, tablesWork } from '../connectors/sql/sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, via } from '../connectors/sql/use-sql-target.ts';
import { createMemoryConnector } from './memory-connector.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const ORDERS = aTable('orders', { via: [via('people', { person: 'id' })] });

await onEverySqlDatabase('a rehearsal', ({ query, open, ids, connector }) => {
  const target = aTarget({ connector, address: '' }, tablesWork([ORDERS, PEOPLE]));
  const fill = () =>
    query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
      CREATE TABLE orders (id INTEGER PRIMARY KEY, person INTEGER);
      INSERT INTO people VALUES (1, '${JANE}'), (2, '${JOE}');
      INSERT INTO orders VALUES (11, 1), (12, 1), (21, 2)`);

  it('says what would be erased, and changes nothing', async () => {
    await fill();
    const { preview, lockedMs } = await rehearse(target, open([ORDERS, PEOPLE]), jane());
    expect(preview).toMatchObject({ outcome: 'found', counts: { people: 1, orders: 2 } });
    expect(lockedMs).toEqual(expect.any(Number));
    expect(await ids('people')).toEqual([1, 2]);
    expect(await ids('orders')).toEqual([11, 12, 21]);
  });

  it('says what the database refuses, which a preview cannot see', async () => {
    await fill();
    await query(`CREATE TABLE loans (id INTEGER PRIMARY KEY, person INTEGER,
      FOREIGN KEY (person) REFERENCES people (id));
      INSERT INTO loans VALUES (31, 1)`);
    const found = await rehearse(target, open([ORDERS, PEOPLE]), jane());
    expect(found).toMatchObject({ preview: { outcome: 'held', reason: 'unplanned_change' } });
    expect(await ids('people')).toEqual([1, 2]);
  });
});

it.each([
  ['an endpoint', { connector: 'http' } as HttpTargetConfig],
  [
    'a plan whose triggers may write elsewhere',
    aTarget(
      { connector: 'postgres', address: '' },
      tablesWork([PEOPLE], { triggers: ['people_tell'] }),
    ),
  ],
  [
    'hand-written SQL',
    aTarget(
      { connector: 'postgres', address: '' },
      { kind: 'statements', preview: 'SELECT 0', erase: [], verify: 'SELECT 0' },
    ),
  ],
])('is refused for %s, which is not asked', async (_, config: TargetConfig) => {
  const connector = createMemoryConnector();
  expect(await rehearse(config, connector, jane())).toMatchObject({
    preview: { outcome: 'failed', code: 'not_rehearsed' },
    lockedMs: null,
  });
  expect(connector.calls).toEqual([]);
});

// What one lookup gives by what another one gave is asked for from the first on, inside the erasing transaction.
import { expect, it, onTestFinished } from 'vitest';
import { openLookupWorld } from './lookup-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE erp (id INTEGER PRIMARY KEY, no TEXT, private_email TEXT);
  CREATE TABLE letters (id INTEGER PRIMARY KEY, email TEXT);
  CREATE TABLE visits (id INTEGER PRIMARY KEY, email TEXT);
  INSERT INTO crm VALUES (1, 'jane@x.org', '9');
  INSERT INTO erp VALUES (1, '9', 'me@home.org');
  INSERT INTO letters VALUES (1, 'me@home.org'), (2, 'bob@x.org');`;

const CRM = 'resolve: { table: crm, from: { email: email }, to: { controller_customer_id: no } }';
const ERP =
  'resolve: { table: erp, from: { controller_customer_id: no }, to: { email: private_email } }';
const VISITS = 'tables: [{ table: visits, match: { email: email } }]';
const LETTERS = 'tables: [{ table: letters, match: { email: email } }]';

it.each([
  ['another target', { crm: [CRM, VISITS], erp: [ERP, VISITS], news: [LETTERS] }],
  ['the target itself', { crm: [CRM, VISITS], news: [ERP, LETTERS] }],
])(
  'a corrected first lookup stops the erasing by what %s looked up from it',
  async (_, targets) => {
    const world = await openLookupWorld(SCHEMA, targets);
    onTestFinished(() => world.close());
    const request = await world.request('jane@x.org');
    const names = Object.keys(targets).filter((name) => name !== 'news');
    for (const name of [...names, ...('erp' in targets ? names : ['news', 'crm'])])
      await world.run(name);
    await world.run('news', (own) => ({
      async erase(orders, record) {
        // The number is Bob's, and so is the private address.
        world.query("UPDATE crm SET email = 'bob@x.org'");
        return await own.erase(orders, record);
      },
    }));
    expect(world.ids('letters')).toEqual([1, 2]);
    expect(await world.task(request, 'news')).toMatchObject({ reason: 'unproven_identity' });
  },
);

it.each([
  ['another target', { crm: [CRM, VISITS], erp: [ERP, VISITS], news: [LETTERS] }],
  ['the target itself', { crm: [CRM, VISITS], news: [ERP, LETTERS] }],
  ['the target itself, as the first', { news: [CRM, LETTERS], erp: [ERP, VISITS] }],
])('what %s has looked up does not prove what it was looked up by', async (_, targets) => {
  // The number is Bob's, and so is the private address; Jane's row has it by mistake.
  const bob = "INSERT INTO crm VALUES (2, 'me@home.org', '9')";
  const world = await openLookupWorld(`${SCHEMA} ${bob};`, targets);
  onTestFinished(() => world.close());
  const request = await world.request('jane@x.org');
  for (let round = 0; round < 3; round++)
    for (const name of ['crm', 'erp', ...(round < 2 ? ['news'] : [])])
      await world.run(name, () => ({ erase: () => Promise.reject(new Error('not yet')) }));
  world.world.clock.now += 3_600_000;
  await world.run('news', (own) => ({
    async erase(orders, record) {
      world.query("UPDATE crm SET no = '77' WHERE id = 1");
      return await own.erase(orders, record);
    },
  }));
  expect(world.ids('letters')).toEqual([1, 2]);
  expect(await world.task(request, 'news')).toMatchObject({ state: 'held' });
});

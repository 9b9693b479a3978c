// unwrite target check shows what a plan does, as a tree.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { useInstallation } from '../use-installation.ts';

const { unwrite, json, folder } = useInstallation();

const shop = {
  connector: 'sqlite',
  file: './shop.db',
  tenant_column: 'account',
  after: ['paper'],
  cascades: ['order_notes', 'wishes'],
  tables: [
    { table: 'friendships', via: { customers: [{ one: 'id' }, { other: 'id' }] } },
    { table: 'orders', via: { customers: { customer_id: 'id' } } },
    {
      table: 'invoices',
      via: { customers: { customer_id: 'id' } },
      action: { retain: 'tax law, ten years' },
    },
    {
      table: 'letters',
      match: { email: 'sent_to' },
      via: { customers: { customer_id: 'id' } },
      shared: 'erase',
      when_unmatched: 'skip',
      action: {
        overwrite: {
          sent_to: null,
          line_1: null,
          line_2: null,
          line_3: null,
          the_rest_of_the_letter: null,
        },
      },
    },
    { table: 'customers', match: { email: 'email', controller_customer_id: 'external_id' } },
  ],
};

beforeAll(() => {
  const database = new DatabaseSync(`${folder()}/shop.db`);
  database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, account TEXT, email TEXT, external_id TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);
    CREATE TABLE order_notes (
      id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id) ON DELETE CASCADE);
    CREATE TABLE wishes (
      id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers (id) ON DELETE SET NULL);
    CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer_id INTEGER);
    CREATE TABLE letters (id INTEGER PRIMARY KEY, account TEXT, customer_id INTEGER, sent_to TEXT,
      line_1 TEXT, line_2 TEXT, line_3 TEXT, the_rest_of_the_letter TEXT);
    CREATE TABLE friendships (id INTEGER PRIMARY KEY, one INTEGER, other INTEGER);`);
  database.close();
  writeFileSync(
    `${folder()}/unwrite.config.yaml`,
    stringify({ targets: { shop, paper: { connector: 'manual' } } }),
  );
});

describe('the plan that unwrite target check shows', () => {
  it('is a tree from identities to all that is found by them', async () => {
    const { stdout, stderr } = await unwrite('target', 'check', 'shop');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^shop \(sqlite\), runs after paper\n/);
    const tree = stdout.slice(stdout.indexOf('  plan: '), stdout.indexOf('1 target checked'));
    expect(tree).toBe(`\
  plan: what is found by what, and what happens to it
    email -> customers.email
    controller_customer_id -> customers.external_id
      customers: deleted; only with the tenant in account
        friendships, by one = customers.id or other = customers.id: deleted;
            rows shared with somebody else: the request is held
        orders, by customer_id = customers.id: deleted
          order_notes, by order_id = orders.id: removed by cascade
        invoices, by customer_id = customers.id: retained ("tax law, ten years")
        letters: see below
        wishes, where customer = customers.id: the reference is set to NULL, the
            row stays
    email -> letters.sent_to
      letters, also by customer_id = customers.id: overwritten (sent_to, line_1,
          line_2, line_3, the_rest_of_the_letter); only with the tenant in
          account; rows shared with somebody else: erased all the same; skipped
          where the request has no identity for it
`);
  });

  it('is a separate member of the JSON output', async () => {
    const [checked, paper] = await json('target', 'check');
    expect(Object.keys(checked)).toEqual([
      'name',
      'connector',
      'runs_after',
      'ok',
      'lines',
      'plan',
    ]);
    expect(checked.plan.tables.map(({ table }: { table: string }) => table)).toEqual([
      'customers',
      'friendships',
      'orders',
      'invoices',
      'letters',
      'order_notes',
    ]);
    expect(checked.plan.tables[4]).toEqual({
      table: 'letters',
      match: [{ type: 'email', column: 'sent_to' }],
      via: [{ parent: 'customers', columns: { customer_id: 'id' } }],
      tenant_column: 'account',
      effect: 'overwritten',
      columns: ['sent_to', 'line_1', 'line_2', 'line_3', 'the_rest_of_the_letter'],
      shared: 'erase',
      when_unmatched: 'skip',
    });
    expect(checked.plan.emptied_references).toEqual([
      { table: 'wishes', parent: 'customers', columns: { customer: 'id' } },
    ]);
    expect(paper).not.toHaveProperty('plan');
  });

  it('shows the entries of one table separately, and where in a column an identity is', async () => {
    const database = new DatabaseSync(`${folder()}/crm.db`);
    database.exec(`
      CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT, data TEXT, kind TEXT);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER);
      CREATE TABLE files (id INTEGER PRIMARY KEY, record_type TEXT, record_id INTEGER);
      CREATE TABLE pages (id INTEGER PRIMARY KEY, file_id INTEGER)`);
    database.close();
    const crm = {
      connector: 'sqlite',
      file: './crm.db',
      tenancy: 'none',
      tables: [
        { table: 'pages', via: { files: { file_id: 'id' } } },
        { table: 'files', where: { record_type: 'User' }, via: { users: { record_id: 'id' } } },
        { table: 'files', where: { record_type: 'Order' }, via: { orders: { record_id: 'id' } } },
        { table: 'orders', via: { users: { user_id: 'id' } } },
        {
          table: 'users',
          where: { kind: ['guest', null] },
          match: {
            email: [
              { column: 'email', trim: true },
              { column: 'data', path: '$.mail' },
            ],
          },
          shared: 'erase',
        },
      ],
    };
    writeFileSync(`${folder()}/crm.yaml`, stringify({ targets: { crm } }));
    const { stdout } = await unwrite('target', 'check', '--config', 'crm.yaml');
    const tree = stdout.slice(stdout.indexOf('  plan: '), stdout.indexOf('1 target checked'));
    expect(tree).toBe(`\
  plan: what is found by what, and what happens to it
    email -> users.email, ignoring blanks around it
    email -> users.data $.mail
      users: deleted; only with kind guest or NULL; rows shared with somebody
          else: erased all the same
        files (record_type: User), by record_id = users.id: deleted
          pages, by file_id = files.id: deleted
        orders, by user_id = users.id: deleted
          files (record_type: Order), by record_id = orders.id: deleted
            pages: see above
`);
  });

  it('leaves out tables that do not fit, which the lines above report', async () => {
    const broken = {
      ...shop,
      after: undefined,
      tables: [{ table: 'gone', match: { email: 'email' } }],
    };
    writeFileSync(`${folder()}/broken.yaml`, stringify({ targets: { shop: broken } }));
    const { stdout } = await unwrite('target', 'check', '--config', 'broken.yaml');
    expect(stdout).toContain('does not exist');
    expect(stdout).not.toContain('plan: what is found');
  });
});

// The same with real databases: what is looked up in one is used in the other, and both stay as they are.
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { useInstallation } from '../use-installation.ts';

const { unwrite, json, client, folder } = useInstallation();
const path = (name: string) => `${folder()}/${name}`;

function makeDatabase(name: string, sql: string): void {
  const database = new DatabaseSync(path(name));
  database.exec(sql);
  database.close();
}

const shop = {
  connector: 'sqlite',
  file: './shop.db',
  tenant_column: 'account',
  tables: [
    { table: 'orders', via: { customers: { customer_id: 'id' } } },
    {
      table: 'invoices',
      via: { customers: { customer_id: 'id' } },
      action: { retain: 'tax law' },
    },
    {
      table: 'customers',
      match: { email: 'email' },
      action: { overwrite: { email: null, phone: { hash: true } } },
    },
  ],
  resolve: {
    table: 'customers',
    from: { email: 'email' },
    to: { controller_customer_id: 'external_id' },
    limit: 2,
  },
};
const letters = {
  connector: 'sqlite',
  file: './letters.db',
  controllers: ['acme'],
  tables: [{ table: 'letters', match: { controller_customer_id: 'customer' } }],
};

beforeAll(async () => {
  makeDatabase(
    'shop.db',
    `CREATE TABLE customers (id INTEGER PRIMARY KEY, account TEXT, email TEXT, external_id TEXT, phone TEXT);
     CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER);
     CREATE TABLE invoices (id INTEGER PRIMARY KEY, customer_id INTEGER);
     INSERT INTO customers VALUES
       (1, 'acme', 'Jane@Example.com', 'c-1', '1'), (2, 'globex', 'jane@example.com', 'g-9', '2'),
       (3, 'acme', 'many@example.com', 'm-1', '3'), (4, 'acme', 'many@example.com', 'm-2', '4'),
       (5, 'acme', 'many@example.com', 'm-3', '5');
     INSERT INTO orders (customer_id) VALUES (1), (1), (2), (2), (2);
     INSERT INTO invoices (customer_id) VALUES (1), (2);`,
  );
  makeDatabase(
    'letters.db',
    `CREATE TABLE letters (id INTEGER PRIMARY KEY, customer TEXT);
     INSERT INTO letters (customer) VALUES ('c-1'), ('c-1'), ('c-1'), ('g-9'), ('other');`,
  );
  writeFileSync(path('unwrite.config.yaml'), stringify({ targets: { letters, shop } }));
  await client('acme');
});

describe('unwrite preview of databases', () => {
  it('uses at every target what one of them has looked up, and changes nothing', async () => {
    const before = ['shop.db', 'letters.db'].map((name) => readFileSync(path(name)));
    const { stdout, exitCode } = await unwrite(
      'preview',
      '--controller',
      'acme',
      '--email',
      'jane@example.com',
    );
    expect(stdout).toBe(
      [
        'One more identity of the person was looked up.',
        'letters (sqlite): would be erased',
        '  delete     letters  3 rows',
        'shop (sqlite): would be erased',
        '  delete     orders     2 rows',
        '  retain     invoices   1 row',
        '  overwrite  customers  1 row',
        'Nothing was changed.',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
    const after = ['shop.db', 'letters.db'].map((name) => readFileSync(path(name)));
    expect(after.every((bytes, i) => bytes.equals(before[i] ?? Buffer.of()))).toBe(true);
  });

  it('says who waits for whom when too much was looked up', async () => {
    const result = await json('preview', '--controller', 'acme', '--email', 'many@example.com');
    expect(result).toMatchObject({
      identities_looked_up: 0,
      waits_for: ['shop'],
      targets: [
        { target: 'letters', outcome: 'would_hold', reason: 'no_usable_identity' },
        { target: 'shop', outcome: 'would_hold', reason: 'too_many_resolved' },
      ],
    });
  });
});

it('rehearses in the transaction that would erase, and rolls it back', async () => {
  makeDatabase(
    'desk.db',
    `CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT);
     CREATE TABLE loans (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people (id));
     INSERT INTO people VALUES (1, 'ann@example.com'), (2, 'joe@example.com');
     INSERT INTO loans VALUES (1, 2);`,
  );
  const desk = {
    connector: 'sqlite',
    file: './desk.db',
    controllers: ['acme'],
    tables: [{ table: 'people', match: { email: 'email' } }],
  };
  writeFileSync(path('unwrite.config.yaml'), stringify({ targets: { desk } }));
  const rehearse = async (email: string) =>
    (await unwrite('preview', '--rehearse', '--controller', 'acme', '--email', email)).stdout;
  expect(await rehearse('ann@example.com')).toMatch(
    /^desk \(sqlite\): would be erased; rehearsed and rolled back, with its rows locked for \d+ ms$/m,
  );
  expect(await rehearse('joe@example.com')).toMatch(
    /^desk \(sqlite\): would be held: rows that stay refer to rows of this request.*\(unplanned_change\)$/m,
  );
  const database = new DatabaseSync(path('desk.db'));
  expect(database.prepare('SELECT id FROM people').all()).toEqual([{ id: 1 }, { id: 2 }]);
  database.close();
});

describe('unwrite target check of a database', () => {
  it('names what does not fit', async () => {
    const tables = [{ table: 'customer', match: { email: 'email' } }];
    writeFileSync(
      path('unwrite.config.yaml'),
      stringify({ targets: { shop: { ...shop, tables, resolve: null } } }),
    );
    const { exitCode, stdout } = await unwrite('target', 'check', 'shop');
    expect(stdout).toMatch(/problem +customer\b.*/);
    expect(exitCode).toBe(1);
  });

  it('says which rows would stay because they also belong to another person', async () => {
    makeDatabase(
      'homes.db',
      `CREATE TABLE members (id INTEGER PRIMARY KEY, email TEXT, home_id INTEGER);
       CREATE TABLE homes (id INTEGER PRIMARY KEY);
       INSERT INTO homes VALUES (1);
       INSERT INTO members VALUES (1, 'ann@example.com', 1), (2, 'joe@example.com', 1);`,
    );
    const homes = {
      connector: 'sqlite',
      file: './homes.db',
      controllers: ['acme'],
      tables: [
        { table: 'members', match: { email: 'email' } },
        { table: 'homes', via: { members: { id: 'home_id' } }, shared: 'keep' },
      ],
    };
    writeFileSync(path('unwrite.config.yaml'), stringify({ targets: { homes } }));
    const ann = ['preview', '--controller', 'acme', '--email', 'ann@example.com'];
    expect((await unwrite(...ann)).stdout).toBe(
      [
        'homes (sqlite): would be erased',
        '  delete        members  1 row',
        '  keep, shared  homes    1 row',
        'Nothing was changed.',
        '',
      ].join('\n'),
    );
    expect(await json(...ann)).toMatchObject({
      targets: [{ rows: { members: 1 }, shared_kept: { homes: 1 } }],
    });
  });
});

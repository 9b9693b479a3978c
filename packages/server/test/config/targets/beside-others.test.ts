import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/config.ts';
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

const USERS = { table: 'users', match: { email: 'email' } };
const POSTS = { table: 'posts', via: { users: { editor_id: 'id' } } };
const KEPT = { ...USERS, action: { retain: 'a claim' } };
const AT = { connector: 'sqlite', file: './shop.db' };

/** Of all controllers, or of some. */
const at = (own: object) => ({
  ...AT,
  ...('controllers' in own ? {} : { tenancy: 'none' }),
  ...own,
});

async function gateOf(one: object, two: object): Promise<readonly string[]> {
  const folder = makeTemporaryFolder();
  const database = new DatabaseSync(join(folder.path, 'shop.db'));
  database.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT, name TEXT);
    CREATE TABLE posts (id INTEGER PRIMARY KEY, editor_id INTEGER, author_id INTEGER);
    CREATE TABLE accounts (id INTEGER PRIMARY KEY, email TEXT, account TEXT);`);
  database.close();
  const path = join(folder.path, 'unwrite.config.yaml');
  writeFileSync(path, stringify({ targets: { one: at(one), two: at(two) } }));
  const { targets } = loadConfig({ config: path }, {}, folder.path).config;
  const connector = createSqlConnector(targets[1] as SqlTargetConfig, { hash: (it) => it });
  const report = await connector.gate?.();
  await connector.close();
  folder.remove();
  return report?.problems.map(({ message }) => message) ?? [];
}

const overwrite = (columns: object) => ({
  tables: [{ ...USERS, action: { overwrite: columns } }],
});

it.each([
  ['deletes them', { tables: [USERS] }],
  ['overwrites what they are found by', overwrite({ email: null })],
  [
    'erases others by another way',
    { tables: [{ ...POSTS, via: { users: { author_id: 'id' } } }, USERS] },
  ],
  [
    'removes them by cascade',
    { tables: [{ table: 'accounts', match: { email: 'email' } }], cascades: ['users'] },
  ],
  ['has the table under another spelling', { tables: [{ ...USERS, table: 'Users' }] }],
])('rows found by rows of another target that %s are refused', async (_, one) => {
  const problems = await gateOf(one, { tables: [POSTS, KEPT] });
  expect(problems).toEqual([expect.stringContaining('the target one erases from users')]);
});

it.each([
  ['keeps them', { tables: [KEPT] }, {}],
  ['overwrites something else', overwrite({ name: null }), {}],
  ['is of other controllers', { tables: [USERS], controllers: ['acme'] }, { controllers: ['b'] }],
  [
    'has other rows of the table',
    { tables: [{ ...USERS, where: { name: 'a' } }] },
    { tables: [POSTS, { ...KEPT, where: { name: 'b' } }] },
  ],
  [
    'has a table of that name in another schema',
    { tables: [{ ...USERS, table: 'temp.users' }] },
    {
      tables: [
        { table: 'posts', via: { 'main.users': { editor_id: 'id' } } },
        { ...KEPT, table: 'main.users' },
      ],
    },
  ],
  ['erases them by the same way', { tables: [POSTS, USERS] }, {}],
  ['is elsewhere', { tables: [USERS], file: './other.db' }, {}],
])('rows found by rows of another target that %s are not', async (_, one, two) => {
  expect(await gateOf(one, { tables: [POSTS, KEPT], ...two })).toEqual([]);
});

const COUNT = 'SELECT count(*) FROM users WHERE email = :email';
const statements = (...erase: readonly string[]) => ({
  controllers: ['acme'],
  sql: { preview: COUNT, verify: COUNT, erase: [...erase] },
});

it.each([
  ['deletes them', 'DELETE FROM users WHERE email = :email'],
  ['deletes them in a schema', 'delete  from main."Users" where email = :email'],
  [
    'overwrites what they are found by',
    "UPDATE users SET name = '', email = NULL WHERE email = :email",
  ],
])(
  'rows found by rows that a hand-written statement %s are refused, until that is accepted',
  async (_, erase) => {
    const two = { tables: [POSTS, KEPT] };
    expect(await gateOf(statements(erase), two)).toEqual([
      expect.stringMatching(/the target one erases from users.*accept: \{ "erased-by:one": "…" \}/),
    ]);
    const accept = { 'erased-by:one': 'it deletes posts before' };
    expect(await gateOf(statements(erase), { ...two, accept })).toEqual([]);
  },
);

it.each([
  [
    'reads them',
    'DELETE FROM posts WHERE editor_id IN (SELECT id FROM users WHERE email = :email)',
  ],
  ['overwrites something else', 'UPDATE users SET name = NULL WHERE email = :email'],
  ['deletes from a table with a longer name', 'DELETE FROM users_old WHERE email = :email'],
])('rows found by rows that a hand-written statement %s are not', async (_, erase) => {
  expect(await gateOf(statements(erase), { tables: [POSTS, KEPT] })).toEqual([]);
});

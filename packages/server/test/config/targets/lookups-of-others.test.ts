import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../src/config/config.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

/** The targets whose lookups `erasing` asks in its own transaction. */
function asked(erasing: { user: string; table: string }, lookup: { user: string; table: string }) {
  const folder = makeTemporaryFolder();
  const at = (user: string) => ({
    connector: 'postgres',
    tenancy: 'none',
    url: `postgres://${user}:pw@db.example/app`,
  });
  const targets = {
    erasing: { ...at(erasing.user), tables: [{ table: erasing.table, match: { email: 'email' } }] },
    other: {
      ...at(lookup.user),
      resolve: {
        table: lookup.table,
        from: { email: 'email' },
        to: { controller_customer_id: 'id' },
      },
      tables: [{ table: 'posts', match: { controller_customer_id: 'author' } }],
    },
  };
  const path = join(folder.path, 'unwrite.config.yaml');
  writeFileSync(path, stringify({ targets }));
  const { config } = loadConfig({ config: path }, {}, folder.path);
  folder.remove();
  const [own] = config.targets as SqlTargetConfig[];
  return (own?.lookupsOfOthers ?? []).map(({ source }) => source.name);
}

it.each([
  ['the same account', { user: 'app', table: 'users' }, ['other']],
  [
    'the same account and a schema that may be it',
    { user: 'app', table: 'public.users' },
    ['other'],
  ],
  ['another account, which may see another table', { user: 'forum', table: 'users' }, []],
])('with %s, a lookup in a table is asked inside the transaction: %j', (_, lookup, expected) => {
  expect(asked({ user: 'app', table: 'users' }, lookup)).toEqual(expected);
});

it('a table of the same name in another schema is another table', () => {
  const lookup = { user: 'app', table: 'forum.users' };
  expect(asked({ user: 'app', table: 'shop.users' }, lookup)).toEqual([]);
});

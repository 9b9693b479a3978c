// A file that is replaced while it is open, as by a restored backup: what is at the path counts.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SqlDatabase, SqlSession } from '../../../src/connectors/sql/session.ts';
import { openSqlite } from '../../../src/connectors/sqlite/open-sqlite.ts';

import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { aTable, aTarget, tablesWork } from '../sql/sql-target.ts';

let folder: ReturnType<typeof makeTemporaryFolder>;
let database: SqlDatabase;

function makeFile(name: string, people: readonly string[]): string {
  const file = join(folder.path, name);
  const made = new DatabaseSync(file);
  made.exec('CREATE TABLE people (email TEXT)');
  for (const email of people) made.prepare('INSERT INTO people VALUES (?)').run(email);
  made.close();
  return file;
}

beforeEach(() => {
  folder = makeTemporaryFolder();
  const file = makeFile('shop.db', ['ann@x.org']);
  database = openSqlite(
    aTarget({ connector: 'sqlite', address: file }, tablesWork([aTable('people')])),
  );
});

afterEach(async () => {
  await database.close();
  folder.remove();
});

const restore = (people: readonly string[]) =>
  renameSync(makeFile('backup.db', people), join(folder.path, 'shop.db'));

const emails = async (session: SqlSession) =>
  (await session.query('SELECT email FROM people')).rows.map(({ email }) => email);

it('a transaction reads the file that is at the path now', async () => {
  expect(await database.transaction('read', emails)).toEqual(['ann@x.org']);
  restore(['ann@x.org', 'bob@x.org']);
  expect(await database.transaction('read', emails)).toEqual(['ann@x.org', 'bob@x.org']);
});

it.each(['read', 'write'] as const)(
  'a %s transaction does not end in a file that was replaced meanwhile',
  async (kind) => {
    const ended = database.transaction(kind, async (session) => {
      const found = await emails(session);
      restore(['ann@x.org']);
      return found;
    });
    await expect(ended).rejects.toMatchObject({ code: 'unreachable' });
    expect(await database.transaction('read', emails)).toEqual(['ann@x.org']);
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import { eraseFound } from '../../helpers/erase-found.ts';
import { orderOf, subjectOf } from '../../helpers/subject.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { aTable, aTarget, tablesWork } from './sql-target.ts';

it('leaves nothing of an erased row in the pages of an SQLite file', async () => {
  const folder = makeTemporaryFolder();
  const path = join(folder.path, 'shop.db');
  const shop = new DatabaseSync(path);
  // As many applications open it: what they delete stays in free pages.
  shop.exec(`PRAGMA secure_delete = OFF;
    CREATE TABLE people (id INTEGER PRIMARY KEY, account TEXT, email TEXT);
    INSERT INTO people VALUES (1, 'acme', 'remains@example.com'), (2, 'acme', 'other@example.com');`);
  shop.close();
  const connector = createSqlConnector(
    aTarget(
      { connector: 'sqlite', address: path },
      tablesWork([aTable('people', { match: { email: 'email' } })]),
    ),
    { hash: (value) => value },
  );
  const subject = subjectOf(1, [['email', 'remains@example.com']]);
  const [preview] = await connector.preview([subject]);
  if (preview?.outcome !== 'found') throw new Error('not found');
  await eraseFound(connector, [orderOf(subject, preview.counts, preview.keys)]);
  await connector.close();
  expect(readFileSync(path, 'latin1')).toContain('other@example.com');
  expect(readFileSync(path, 'latin1')).not.toContain('remains@example.com');
  folder.remove();
});

// A controller whose tenant is in no row: its people are not "not found".
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSqlConnector } from '../../../../src/connectors/sql/create-sql-connector.ts';
import type { Connector } from '../../../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../../src/domain/target/target.ts';
import { useWrittenTargets } from '../../../config/targets/written-targets.ts';
import { subjectOf } from '../../../helpers/subject.ts';

const { one, directory } = useWrittenTargets();
const TARGET = {
  connector: 'sqlite',
  file: 'people.db',
  tenant_column: 'owner',
  tenants: { acme: 'org-1', globex: 'orgg-2' },
  tables: [
    { table: 'people', match: { email: 'email' } },
    { table: 'notes', via: { people: { person: 'id' } } },
  ],
};

let connector: Connector;
beforeEach(() => {
  run(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, owner TEXT, email TEXT);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, person INTEGER, owner TEXT);
    INSERT INTO people (owner, email) VALUES ('org-1', 'jane@example.com'), ('org-2', 'joe@example.com');
  `);
  connector = createSqlConnector(one(TARGET) as SqlTargetConfig, { hash: String });
});
afterEach(() => connector.close());

function run(sql: string): void {
  const database = new DatabaseSync(`${directory()}/people.db`);
  database.exec(sql);
  database.close();
}

const preview = async (...people: readonly (readonly [string, string])[]) =>
  (
    await connector.preview(
      people.map(([controller, email], place) =>
        subjectOf(place + 1, [['email', email]], controller),
      ),
    )
  ).map((it) => it.outcome === 'found' && (it.unknownTenant ?? Object.values(it.counts)));

it('is named with each person who is not found, listed or not', async () => {
  expect(
    await preview(
      ['acme', 'jane@example.com'],
      ['acme', 'nobody@example.com'],
      ['globex', 'joe@example.com'],
      ['initech', 'joe@example.com'],
    ),
  ).toEqual([[1], [], 'orgg-2', 'initech']);
});

it('is known by a row of any table, and stays known when the last row is erased', async () => {
  run("INSERT INTO notes (owner) VALUES ('orgg-2')");
  expect(await preview(['globex', 'joe@example.com'])).toEqual([[]]);
  run('DELETE FROM notes');
  expect(await preview(['globex', 'joe@example.com'])).toEqual([[]]);
});

it('is in the check', async () => {
  const messages = (await connector.check()).map(({ message }) => message);
  expect(messages).toContainEqual(
    expect.stringMatching(
      /^no row of any table has "orgg-2", the tenant of globex: is it misspelt/,
    ),
  );
  expect(messages.join()).not.toContain('"org-1", the tenant');
});

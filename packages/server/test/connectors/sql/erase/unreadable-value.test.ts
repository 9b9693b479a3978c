// A value that the server cannot read, of a person whose row cannot be overwritten either.
import pg from 'pg';
import { expect, it } from 'vitest';
import { freshPostgres, hasPostgres } from '../../../helpers/databases/fresh-postgres.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aSubject, aTable, aTarget, connect, email, tablesWork } from '../sql-target.ts';

const PEOPLE = aTable('people', {
  match: { email: 'email' },
  action: {
    kind: 'overwrite',
    columns: { email: { kind: 'null' }, nick: { kind: 'value', value: 'x' } },
  },
});

it.skipIf(!(await hasPostgres()))('holds that person, and nobody else', async () => {
  const database = await freshPostgres();
  const name = `latin_${process.pid}`;
  await database.query(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`
    CREATE TABLE people (id integer PRIMARY KEY, email text, nick text CHECK (id <> 1 OR nick <> 'x'));
    INSERT INTO people VALUES (1, 'jos\u00e9@example.com', 'a'), (2, 'joe@example.com', 'b')`);
  const connector = connect(
    aTarget({ connector: 'postgres', address: url.href }, tablesWork([PEOPLE])),
  );
  try {
    const people = [
      aSubject(1, [email('\u4e2d@example.com'), email('jos\u00e9@example.com')]),
      aSubject(2, [email('joe@example.com')]),
    ];
    expect(await eraseFound(connector, people)).toMatchObject([
      { outcome: 'held', reason: 'not_overwritten' },
      { outcome: 'erased', counts: { people: 1 } },
    ]);
  } finally {
    await connector.close();
    await client.end();
    await database.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await database.close();
  }
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { emptiedPostgres } from '../../helpers/databases/emptied-postgres.ts';
import { type FreshDatabase, hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import {
  aSubject,
  aTable,
  aTarget,
  connect,
  email,
  GONE,
  passThrough,
  tablesWork,
} from './sql-target.ts';

const WORK = tablesWork([aTable('people', { match: { email: 'email' } })]);
const JANE = aSubject(1, [email('jane@example.com')]);

describe.skipIf(!(await hasPostgres()))('only on PostgreSQL', () => {
  let database: FreshDatabase;
  let opened: Connector[] = [];

  beforeEach(async () => {
    database = await emptiedPostgres();
  });
  afterEach(async () => {
    for (const connector of opened) await connector.close();
    opened = [];
    await database.close();
  });

  function open(address = database.url, work = WORK): Connector {
    const connector = connect(aTarget({ connector: 'postgres', address }, work));
    opened.push(connector);
    return connector;
  }

  const people = () =>
    database.query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, email text);
      INSERT INTO people VALUES (1, 'jane@example.com'), (2, 'joe@example.com')`);

  it('does not erase if the server does not count changes', async () => {
    await people();
    await database.query(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET track_counts = off', current_database()); END $$",
    );
    await expect(passThrough(open(), [JANE])).rejects.toMatchObject({
      code: 'plan_misfit',
      message: expect.stringContaining('track_counts'),
    });
    expect(await database.query('SELECT count(*)::int AS n FROM people')).toEqual([{ n: 2 }]);
  });

  it('counts as down if row-level security would hide rows', async () => {
    await people();
    const role = `reader_${database.url.slice(-12)}`;
    await database.query(`
      CREATE ROLE ${role} LOGIN PASSWORD 'x';
      GRANT SELECT, DELETE ON people TO ${role};
      ALTER TABLE people ENABLE ROW LEVEL SECURITY;
      CREATE POLICY few ON people TO ${role} USING (id = 2)`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'x';
    await expect(open(url.href).preview([JANE])).rejects.toMatchObject({ code: 'sql_42501' });
    await database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it('refuses an account in whose sessions foreign keys and triggers do not act', async () => {
    const role = `cdc_${database.url.slice(-12)}`;
    await database.query(`
      CREATE ROLE ${role} LOGIN PASSWORD 'x';
      ALTER ROLE ${role} SET session_replication_role = replica`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'x';
    const preview = open(url.href).preview([JANE]);
    await expect(preview).rejects.toMatchObject({
      code: 'replication_role',
      message: expect.stringContaining('RESET session_replication_role'),
    });
    await database.query(`DROP ROLE ${role}`);
  });

  it('finds the rest of a request if the server cannot write one of its characters', async () => {
    const name = `latin_${database.url.slice(-12)}`;
    await database.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    const connector = open(url.href, {
      ...WORK,
      tables: [aTable('pg_people', { match: { email: 'email' } })],
    });
    await makeLatinPeople(url.href);
    const subjects = [
      aSubject(1, [email('\u4e2d@example.com'), email('jos\u00e9@example.com')]),
      aSubject(2, [email('joe@example.com')]),
    ];
    const { erasures, verdicts } = await passThrough(connector, subjects);
    expect(erasures).toEqual([
      { outcome: 'erased', counts: { pg_people: 1 } },
      { outcome: 'erased', counts: { pg_people: 1 } },
    ]);
    expect(verdicts).toEqual([GONE, GONE]);
    await connector.close();
    await database.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });

  it('counts rows of partitions for the table that the plan names', async () => {
    await database.query(`
      CREATE TABLE people (id INTEGER, email text, PRIMARY KEY (id)) PARTITION BY RANGE (id);
      CREATE TABLE people_a PARTITION OF people FOR VALUES FROM (0) TO (10);
      CREATE TABLE people_b PARTITION OF people FOR VALUES FROM (10) TO (20);
      INSERT INTO people VALUES (1, 'jane@example.com'), (11, 'jane@example.com'), (12, 'joe@example.com')`);
    const { erasures, verdicts } = await passThrough(open(), [JANE]);
    expect(erasures).toEqual([{ outcome: 'erased', counts: { people: 2 } }]);
    expect(verdicts).toEqual([GONE]);
  });

  it('sees a foreign key that was made since the last erase', async () => {
    await people();
    const connector = open();
    await passThrough(connector, [aSubject(1, [email('nobody@example.com')])]);
    const passing = passThrough(connector, [JANE], async () => {
      await database.query(
        'CREATE TABLE notes (id int, person int REFERENCES people ON DELETE CASCADE)',
      );
    });
    await expect(passing).rejects.toMatchObject({ code: 'target_refused' });
  });

  it('works in a schema that is named, with names that need quotes', async () => {
    await database.query(`
      CREATE SCHEMA "the shop"; CREATE TABLE "the shop"."Pe""ople" ("Id" uuid PRIMARY KEY, "E-Mail" text);
      INSERT INTO "the shop"."Pe""ople" VALUES (gen_random_uuid(), 'jane@example.com')`);
    const work = tablesWork([aTable('the shop.Pe"ople', { match: { email: 'E-Mail' } })]);
    const { erasures, verdicts } = await passThrough(open(database.url, work), [JANE]);
    expect(erasures).toEqual([{ outcome: 'erased', counts: { 'the shop.Pe"ople': 1 } }]);
    expect(verdicts).toEqual([GONE]);
  });
});

async function makeLatinPeople(url: string): Promise<void> {
  const { Client } = (await import('pg')).default;
  const client = new Client(url);
  await client.connect();
  await client.query(`
    CREATE TABLE pg_people (id INTEGER PRIMARY KEY, email text);
    INSERT INTO pg_people VALUES (1, 'jos\u00e9@example.com'), (2, 'joe@example.com')`);
  await client.end();
}

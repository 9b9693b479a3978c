import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { type CheckedTarget, makeTarget, table, tables, via, written } from './checked-target.ts';

const TABLES = `
  CREATE SCHEMA billing;
  CREATE TABLE customers (id int PRIMARY KEY, email text, name text, mood text);
  CREATE TABLE billing.invoices (id int PRIMARY KEY, customer int);
  CREATE TABLE secrets (id int PRIMARY KEY);
  CREATE TABLE guarded (id int PRIMARY KEY, email text);
  ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
  CREATE TABLE parents (id int PRIMARY KEY, email text);
  CREATE TABLE heirs () INHERITS (parents);
  CREATE TABLE moods (id int PRIMARY KEY, email text, at timestamptz);
  CREATE EXTENSION postgres_fdw;
  CREATE SERVER elsewhere FOREIGN DATA WRAPPER postgres_fdw;
  CREATE FOREIGN TABLE far (id int, email text) SERVER elsewhere`;

describe.skipIf(!(await hasPostgres()))('the check of a PostgreSQL target', () => {
  const account = `unwrite_check_${process.pid}`;
  let target: CheckedTarget;
  let url: string;

  beforeAll(async () => {
    target = await makeTarget('postgres');
    await target.run(TABLES);
    await target.run(`CREATE ROLE ${account} LOGIN PASSWORD 'test-password'`);
    const address = new URL(target.url);
    address.username = account;
    address.password = 'test-password';
    url = address.href;
  });
  afterAll(async () => {
    await target?.run(`DROP OWNED BY ${account}; DROP ROLE ${account}`);
    await target?.close();
  });

  const problems = async (...list: Parameters<typeof tables>) =>
    written(await target.check({ work: tables(...list) }, url), 'problem');

  it('names the statements that grant what is missing, and passes once they have run', async () => {
    const work = [
      table('billing.invoices', via('customers', { customer: 'id' })),
      table('customers', { action: { kind: 'overwrite', columns: { name: { kind: 'hash' } } } }),
    ];
    const found = await problems(work);
    expect(found).toEqual([
      `problem billing.invoices: ${account} may not use its schema; run: GRANT USAGE ON SCHEMA billing TO ${account}`,
      `problem account: ${account} lacks rights on customers and billing.invoices; run: GRANT SELECT, UPDATE (name) ON customers TO ${account}; GRANT SELECT, DELETE ON billing.invoices TO ${account}`,
    ]);
    for (const line of found) await target.run(line.split('run: ')[1] ?? '');
    expect(await problems(work)).toEqual([]);
    const lines = await target.check({ work: tables(work) }, url);
    expect(written(lines)).toContain(`ok account: ${account} may do what the plan needs`);
  });

  it('grants what a trigger needs without a warning about it afterwards', async () => {
    await target.run(`
      CREATE TABLE leads (id int PRIMARY KEY, email text);
      CREATE TABLE totals (number int PRIMARY KEY);
      CREATE FUNCTION count_leads() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN UPDATE totals SET number = number - 1; RETURN NULL; END';
      CREATE TRIGGER on_lead AFTER DELETE ON leads FOR EACH ROW EXECUTE FUNCTION count_leads();
      GRANT SELECT, DELETE ON leads TO ${account}; GRANT SELECT, UPDATE ON totals TO ${account}`);
    const work = tables([table('leads')], { triggers: ['on_lead'], cascades: ['totals'] });
    const lines = await target.check({ work }, url);
    expect(written(lines, 'problem')).toEqual([]);
    expect(written(lines, 'warning').join()).not.toContain('totals');
  });

  it('names the grant for a column that only another foreign key of the table uses', async () => {
    await target.run(`
      CREATE TABLE staff (id int PRIMARY KEY, email text);
      CREATE TABLE tasks (id int PRIMARY KEY, author int REFERENCES staff, reviewer int REFERENCES staff);
      GRANT SELECT, DELETE ON staff TO ${account};
      GRANT SELECT (id, author), DELETE ON tasks TO ${account}`);
    const work = [table('tasks', via('staff', { author: 'id' })), table('staff')];
    expect(await problems(work)).toEqual([
      `problem tasks: ${account} lacks rights on it; run: GRANT SELECT ON tasks TO ${account}`,
    ]);
  });

  it('says what the account could do beyond the plan', async () => {
    await target.run(`GRANT SELECT, DELETE ON customers, secrets TO ${account};
      GRANT CREATE ON SCHEMA billing TO ${account};
      CREATE TABLE own (id int PRIMARY KEY, email text); ALTER TABLE own OWNER TO ${account}`);
    const work = tables([table('customers'), table('own')]);
    const lines = written(await target.check({ work }, url));
    expect(lines).toContainEqual(
      expect.stringMatching(/^warning account: \w+ owns own, so it could change or drop them;/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^warning account: \w+ may also delete from or update .*secrets/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/^note account: \w+ may create tables in the schema billing/),
    );
  });

  it('warns of a superuser', async () => {
    const lines = await target.check({ work: tables([table('customers')]) });
    expect(written(lines, 'warning')).toContainEqual(
      expect.stringMatching(/^warning account: \w+ is a superuser: /),
    );
  });

  it('refuses tables of which row-level security hides rows', async () => {
    await target.run(`GRANT SELECT, DELETE ON guarded TO ${account}`);
    expect(await problems([table('guarded')])).toContainEqual(
      expect.stringMatching(
        /^problem guarded: row-level security hides rows .* ALTER TABLE guarded/,
      ),
    );
  });

  it('refuses foreign tables, and tables with heirs', async () => {
    await target.run(`GRANT SELECT, DELETE ON parents TO ${account}`);
    expect(await problems([table('far', { key: ['id'] }), table('parents')])).toEqual([
      'problem far: is a foreign table, and only tables can be erased from; name the tables behind it',
      expect.stringMatching(/^problem parents: other tables, .* inherit from it/),
    ]);
  });

  it.each([
    ['inherits from', '', '() INHERITS (near)'],
    ['is a partition of', 'PARTITION BY LIST (id)', 'PARTITION OF near DEFAULT'],
  ])('refuses a table if a table on another server %s it', async (_, parted, part) => {
    await target.run(`CREATE TABLE near (id int, email text) ${parted};
      CREATE FOREIGN TABLE remote ${part} SERVER elsewhere;
      GRANT SELECT, DELETE ON near TO ${account}`);
    const found = await problems([table('near')]);
    await target.run('DROP TABLE near CASCADE');
    expect(found).toContain(
      'problem near: has a partition or an inheriting table on another server, which no transaction here can roll back; declare that server as a target of its own',
    );
  });

  it('refuses a value that only the server can judge', async () => {
    await target.run(`GRANT SELECT, UPDATE ON moods TO ${account}`);
    const overwritten = (value: string) =>
      table('moods', { action: { kind: 'overwrite', columns: { at: { kind: 'value', value } } } });
    expect(await problems([overwritten('2020-02-30')])).toEqual([
      'problem moods: "at" is timestamp with time zone, which cannot hold the value given; correct it',
    ]);
    expect(await problems([overwritten('2020-02-28')])).toEqual([]);
  });

  it('wants changes to be counted', async () => {
    await target.run(`ALTER ROLE ${account} SET default_transaction_read_only = on;
      ALTER ROLE ${account} SET track_counts = off`);
    const found = await problems([]);
    await target.run(`ALTER ROLE ${account} RESET ALL`);
    expect(found).toContainEqual(
      expect.stringMatching(/^problem server: has track_counts off, .* set track_counts = on$/),
    );
    expect(found).toContainEqual(
      expect.stringMatching(/^problem server: opens transactions read-only/),
    );
  });

  it('takes an index on lower(email), and advises one that serves', async () => {
    const advised = async () =>
      written(await target.check({ work: tables([table('customers')]) }), 'warning').filter(
        (line) => line.includes('no index'),
      );
    expect(await advised()).toEqual([
      expect.stringMatching(/add: CREATE INDEX ON customers \(lower\(email COLLATE "C"\)\)$/),
    ]);
    await target.run('CREATE INDEX by_name ON customers (name, lower(email))');
    expect(await advised()).toHaveLength(1);
    await target.run('CREATE INDEX by_lower ON customers (lower(email))');
    expect(await advised()).toEqual([]);
  });
});

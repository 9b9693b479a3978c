// What looks personal in a database and is not in the plan.
import { expect, it } from 'vitest';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), phone varchar(40), note varchar(40));
CREATE TABLE leads (id int NOT NULL PRIMARY KEY, email varchar(190), phone varchar(40));
CREATE TABLE customers_archive (id int NOT NULL PRIMARY KEY, first_name varchar(40));
CREATE TABLE prices (id int NOT NULL PRIMARY KEY, amount int, currency varchar(3))`;

await onEachDatabase('what is outside of the plan', TABLES, ({ check, connector, run }) => {
  const outside = async (config: Partial<SqlTargetConfig>) =>
    (await check(config)).filter(({ finding }) => finding?.startsWith('outside:'));

  it('is each table that looks personal and that nothing says anything of', async () => {
    const found = await outside({ work: tables([table('customers')]) });
    expect(found.map(({ level, finding }) => [level, finding])).toEqual([
      ['warning', 'outside:customers_archive'],
      ['warning', 'outside:leads'],
    ]);
    expect(written(found)[1]).toBe(
      'warning leads: looks personal (email and phone) and is not in the plan: list it, or ignore: { leads: "why nothing of a person is in it" }',
    );
  });

  it('is each column of rows that stay', async () => {
    const overwrite = {
      action: { kind: 'overwrite', columns: { email: { kind: 'null' } } },
    } as const;
    const found = await outside({ work: tables([table('customers', overwrite)]) });
    expect(found.map(({ finding }) => finding)).toContain('outside:customers.phone');
    expect(found.map(({ finding }) => finding)).not.toContain('outside:customers.note');
  });

  it('is answered by a reason, and a reason for nothing is named', async () => {
    const accept = {
      'outside:leads': 'a demo',
      'outside:customers_archive': 'empty',
      'outside:gone': 'dropped',
      'warning:01000': 'shows only when rows are erased',
    };
    const lines = await check({ work: tables([table('customers')]), accept });
    expect(written(lines, 'warning').filter((line) => line.includes('not in the plan'))).toEqual(
      [],
    );
    expect(written(lines, 'note')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^note leads: accepted \(a demo\)/),
        'note accept: "gone" is ignored, but nothing of the kind was found; remove the entry',
        'note accept: accepted (shows only when rows are erased): the WARNING 01000 holds no task',
      ]),
    );
  });

  it('is not what another target of the database erases', async () => {
    const found = await outside({ work: tables([table('customers')]), tablesOfOthers: ['leads'] });
    expect(found.map(({ finding }) => finding)).toEqual(['outside:customers_archive']);
  });

  it('is a problem where a cascade alone takes care of it', async () => {
    const work = tables([table('customers')], { cascades: ['leads'] });
    const [first] = (await outside({ work })).filter(({ level }) => level === 'problem');
    expect(first).toMatchObject({
      subject: 'leads',
      finding: 'outside:leads',
      message: expect.stringContaining('list it under "tables" too'),
    });
  });

  it.runIf(connector === 'postgres')(
    'may be a materialized view, and is no extension',
    async () => {
      await run('CREATE MATERIALIZED VIEW mails AS SELECT email FROM leads');
      await run('CREATE VIEW shown AS SELECT email FROM leads');
      const found = await outside({ work: tables([table('customers'), table('leads')]) });
      expect(written(found)).toContainEqual(
        expect.stringMatching(/^warning mails: .* is not in the plan; it is a materialized view:/),
      );
      expect(found.map(({ subject }) => subject)).not.toContain('shown');
      await run('DROP VIEW shown');
      await run('DROP MATERIALIZED VIEW mails');
    },
  );
});

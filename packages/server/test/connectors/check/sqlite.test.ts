import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckedTarget, makeTarget, table, tables, via, written } from './checked-target.ts';

const TABLES = `CREATE TABLE Customers (id TEXT PRIMARY KEY, email TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT REFERENCES customers ON DELETE CASCADE);
CREATE VIRTUAL TABLE search USING fts5(email)`;

describe('the check of an SQLite target', () => {
  let target: CheckedTarget;

  beforeAll(async () => {
    target = await makeTarget('sqlite');
    await target.run(TABLES);
  });
  afterAll(() => target.close());

  const of = async (...list: Parameters<typeof tables>) =>
    written(await target.check({ work: tables(...list) }));

  it('takes names of tables in any case, as the database does', async () => {
    const lines = await of([
      table('orders', via('customers', { customer: 'id' })),
      table('customers'),
    ]);
    expect(lines.filter((line) => line.startsWith('problem'))).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^ok customers: found by email/));
  });

  it('notes that a text key may be NULL', async () => {
    expect(await of([table('Customers')], { cascades: ['orders'] })).toContainEqual(
      expect.stringMatching(/^note Customers: its primary key may hold NULL \(id\)/),
    );
  });

  it('refuses a plan with virtual tables', async () => {
    expect(await of([table('search', { key: ['email'] })])).toContainEqual(
      expect.stringMatching(/^problem search: is a virtual table.*; write the statements by hand/),
    );
  });

  it('says that the file is locked just now', async () => {
    await target.run('BEGIN IMMEDIATE');
    const lines = await of([]).finally(() => target.run('ROLLBACK'));
    expect(lines).toContainEqual(
      expect.stringMatching(/^warning server: is locked at this moment: .*; check again later$/),
    );
  });

  it('reports a log next to the file', async () => {
    await target.run('PRAGMA journal_mode = wal');
    expect(await of([])).toContainEqual(expect.stringMatching(/^note server: writes a log beside/));
  });
});

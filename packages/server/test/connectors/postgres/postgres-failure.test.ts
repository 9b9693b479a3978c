import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toPostgresFailure } from '../../../src/connectors/postgres/postgres-failure.ts';
import {
  type FreshDatabase,
  freshPostgres,
  hasPostgres,
} from '../../helpers/databases/fresh-postgres.ts';

describe.skipIf(!(await hasPostgres()))('what PostgreSQL refused', () => {
  let database: FreshDatabase;

  beforeAll(async () => {
    database = await freshPostgres();
    await database.query(`
      CREATE TABLE people (id INT PRIMARY KEY, age INT NOT NULL CONSTRAINT grown CHECK (age > 17));
      CREATE TABLE letters (person INT CONSTRAINT sender REFERENCES people);
      INSERT INTO people VALUES (1, 20);
      INSERT INTO letters VALUES (1)`);
  });
  afterAll(() => database.close());

  async function refusalOf(sql: string): Promise<string> {
    const error = await database.query(sql).catch((thrown: unknown) => thrown);
    const { code, message } = toPostgresFailure(error);
    return `${code}: ${message}`;
  }

  it('is reported with the names of its table and constraint', async () => {
    const refused = 'the server refused a value';
    expect([
      await refusalOf('DELETE FROM people'),
      await refusalOf('UPDATE people SET age = 3'),
      await refusalOf('UPDATE people SET age = NULL'),
      await refusalOf('INSERT INTO people VALUES (1, 30)'),
    ]).toEqual([
      `sql_23503: ${refused}: constraint sender of table letters`,
      `sql_23514: ${refused}: constraint grown of table people`,
      `sql_23502: ${refused}: table people`,
      `sql_23505: ${refused}: constraint people_pkey of table people`,
    ]);
  });

  it('is said without names that a function of the operator gave: they may be the person', async () => {
    const raise = (code: string) =>
      `DO $$ BEGIN RAISE EXCEPTION 'jane' USING ERRCODE = '${code}', CONSTRAINT = 'jane', TABLE = 'jane'; END $$`;
    for (const code of ['P0001', '23503']) {
      expect(await refusalOf(raise(code))).toBe(`sql_${code}: the server refused a value`);
    }
  });
});

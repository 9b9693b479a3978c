import { afterEach, describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { inMatrix } from '../../helpers/databases/matrix.ts';
import { SQL_DATABASES, type SqlTestDatabase } from './sql-databases.ts';
import {
  aSubject,
  aTable,
  aTarget,
  connect,
  email,
  GONE,
  isFound,
  passThrough,
  tablesWork,
} from './sql-target.ts';

for (const kind of inMatrix('tables on', SQL_DATABASES)) {
  describe.skipIf(!(await kind.isThere()))(`tables on ${kind.name}`, () => {
    let database: SqlTestDatabase;
    let connector: Connector;
    afterEach(async () => {
      await connector.close();
      await database.close();
    });

    it('may have names that every plain object seems to have', async () => {
      database = await kind.open();
      const quoted = (name: string) => (kind.connector === 'mysql' ? `\`${name}\`` : `"${name}"`);
      const [child, parent] = [quoted('__proto__'), quoted('constructor')];
      await database.query(`
        CREATE TABLE ${parent} (id INTEGER PRIMARY KEY, email VARCHAR(200));
        CREATE TABLE ${child} (id INTEGER PRIMARY KEY, person INTEGER);
        INSERT INTO ${parent} VALUES (1, 'jane@example.com'), (2, 'joe@example.com');
        INSERT INTO ${child} VALUES (1, 1), (2, 1), (3, 2)`);
      const via = [{ parent: 'constructor', columns: { person: 'id' } }];
      const tables = [
        aTable('__proto__', { via }),
        aTable('constructor', { match: { email: 'email' } }),
      ];
      connector = connect(aTarget(database, tablesWork(tables)));
      const { previews, erasures, verdicts } = await passThrough(connector, [
        aSubject(1, [email('jane@example.com')]),
      ]);

      const counts = [
        ['__proto__', 2],
        ['constructor', 1],
      ];
      expect(Object.entries(isFound(previews[0]).counts).sort()).toEqual(counts);
      const [erasure] = erasures;
      expect(erasure?.outcome === 'erased' && Object.entries(erasure.counts).sort()).toEqual(
        counts,
      );
      expect(verdicts).toEqual([GONE]);
      const [left] = await database.query(`SELECT count(*) AS n FROM ${child}`);
      expect(Number(left?.n)).toBe(1);
    });
  });
}

import { expect, it } from 'vitest';
import type { SqlConnector } from '../../../src/domain/target/target.ts';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), name varchar(20));
CREATE TABLE people (id int NOT NULL PRIMARY KEY, email varchar(190), name varchar(20));
CREATE TABLE counters (id int NOT NULL PRIMARY KEY, number int)`;
const TRIGGERS: Record<SqlConnector, string> = {
  sqlite: `CREATE TRIGGER on_delete AFTER DELETE ON customers BEGIN SELECT 1; END;
CREATE TRIGGER on_update AFTER UPDATE ON customers BEGIN SELECT 1; END;
CREATE TRIGGER on_email AFTER UPDATE OF id, "email" ON people BEGIN SELECT 1; END;
CREATE TRIGGER on_name AFTER UPDATE OF name ON people BEGIN SELECT 1; END`,
  postgres: `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER on_delete AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER on_update AFTER UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER on_email AFTER UPDATE OF id, email ON people FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER on_name AFTER UPDATE OF name ON people FOR EACH ROW EXECUTE FUNCTION note()`,
  mysql: `CREATE TRIGGER on_delete AFTER DELETE ON customers FOR EACH ROW SET @a = 1;
CREATE TRIGGER on_update AFTER UPDATE ON customers FOR EACH ROW SET @a = 1`,
};

await onEachDatabase(
  'the check of triggers',
  (connector) => `${TABLES};\n${TRIGGERS[connector]}`,
  ({ check, connector }) => {
    const overwritten = table('customers', {
      action: { kind: 'overwrite', columns: { name: { kind: 'null' } } },
    });
    const of = async (...list: Parameters<typeof tables>) =>
      written(await check({ work: tables(...list) }), 'problem');

    it('names the triggers that fire on what the plan does, and no others', async () => {
      expect(await of([table('customers')])).toEqual([
        'problem customers: the trigger on_delete fires on delete; look at what it does (it may copy what is erased), then list it: triggers: [on_delete]',
      ]);
      expect(await of([overwritten])).toEqual([
        'problem customers: the trigger on_update fires on update; look at what it does (it may copy what is erased), then list it: triggers: [on_update]',
      ]);
    });

    it('lists several in one line, each once', async () => {
      const both = { ...overwritten, table: 'customers', where: { id: [1] } };
      const deleted = table('customers', { where: { id: [2] } });
      expect(await of([both, deleted])).toEqual([
        expect.stringMatching(
          /^problem triggers: on_\w+ on \w+ of customers, on_\w+ on \w+ of customers fire; look .*: triggers: \[on_\w+, on_\w+\]$/,
        ),
      ]);
    });

    it.skipIf(connector === 'mysql')(
      'does not want those of columns that are not set',
      async () => {
        const columns = { email: { kind: 'null' } } as const;
        const renamed = table('people', { action: { kind: 'overwrite', columns } });
        expect(await of([renamed])).toEqual([
          expect.stringContaining('problem people: the trigger on_email fires on update'),
        ]);
      },
    );

    it('accepts those that are listed', async () => {
      expect(await of([table('customers')], { triggers: ['on_delete'] })).toEqual([]);
    });

    it('does not say that a table can go from "cascades" which a listed one may write to', async () => {
      const idle = async (triggers: string[]) => {
        const work = tables([table('customers')], { cascades: ['counters'], triggers });
        return written(await check({ work }), 'note').filter((line) => line.includes('counters'));
      };
      expect(await idle(['on_delete'])).toEqual([]);
      expect(await idle([])).toEqual([expect.stringContaining('remove the entry')]);
    });
  },
);

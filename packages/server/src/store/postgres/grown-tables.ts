// PostgreSQL plans by its last statistics, and keeps a plan as long as the statement is prepared: a table of one page
// gets a sequential scan, and still does a minute and half a million rows later. Autovacuum runs ANALYZE only now and
// then; here it is run when a table has doubled.
import type { GrownTables } from '../../domain/store/store.ts';
import type { Database } from './database.ts';

/** Smaller tables need no ANALYZE. */
const SMALL_PAGES = 16;

const GROWN = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = :schema::text::regnamespace AND relkind = 'r'
    AND pg_relation_size(oid) / current_setting('block_size')::int
      > 2 * relpages + ${SMALL_PAGES}`;

export function createGrownTables(database: Database): GrownTables {
  const grown = () => database.all<{ name: string }>(GROWN, { schema: database.schema });
  return {
    async areThere() {
      return (await grown()).length > 0;
    },
    async countAgain() {
      // SKIP_LOCKED: if the table is locked, another node or a vacuum is already analyzing it.
      for (const { name } of await grown()) await database.run(`ANALYZE (SKIP_LOCKED) @${name}`);
    },
  };
}

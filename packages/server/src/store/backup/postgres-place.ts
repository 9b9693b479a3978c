// Restores into a schema without rows. A row in store_copy keeps nodes from starting until the restore is complete.
import { randomBytes } from 'node:crypto';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { filledTables } from '../copy/filled-tables.ts';
import { quoteName } from '../dialect.ts';
import type { Database } from '../postgres/database.ts';
import { migrate, migrationStatus, readMigrations } from '../postgres/migrate.ts';
import { isRestoring, RESTORING } from '../postgres/unfinished-copy.ts';
import type { BackedTable, BackupHeader, Row } from './backup-format.ts';
import { columnsIn, numberedIn } from './postgres-snapshot.ts';
import { knownMigrations, type RestorePlace, requireColumns } from './restore-place.ts';

const ARRAYS = { number: 'bigint', text: 'text', bytes: 'bytea', other: 'text' } as const;
/** What a backup does not have: what this schema is, and that it is being restored. */
const KEPT = ['schema_migrations', 'store_copy'];

export function postgresPlace(database: Database, clock: () => number): RestorePlace {
  const { schema } = database;
  const mark = `${RESTORING} ${randomBytes(6).toString('hex')}`;
  const types = new Map<string, Map<string, string>>();
  const statements = new Map<string, string>();

  async function insertInto(table: BackedTable): Promise<string> {
    const known = statements.get(table.name);
    if (known !== undefined) return known;
    const own = types.get(table.name) ?? new Map<string, string>();
    requireColumns(table, [...own.keys()]);
    const names = table.columns.map(({ name }) => name);
    const arrays = table.columns.map(({ name, kind }) => `:${name}::${ARRAYS[kind]}[]`);
    const values = names.map((name) => `it.${name}::${own.get(name)}`);
    const made = `INSERT INTO @${table.name} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
      SELECT ${values.join(', ')} FROM unnest(${arrays.join(', ')}) AS it (${names.join(', ')})`;
    statements.set(table.name, made);
    return made;
  }

  async function empty(): Promise<void> {
    const names = [...types.keys()].filter((name) => !KEPT.includes(name));
    await database.run(`TRUNCATE ${names.map((name) => `@${quoteName(name)}`).join(', ')}`);
  }

  return {
    kind: 'postgres',
    async begin(header) {
      const known = knownMigrations(readMigrations(), header.migrations);
      const { applied } = await migrationStatus(database);
      if (applied.length === 0) {
        await requireNoTables(database);
        await migrate(database, known);
      } else await requireEmpty(database, applied, header);
      await database.run(
        `INSERT INTO @store_copy (one, source_id, source_state, started_time)
         VALUES (1, :id, :mark, :now)
         ON CONFLICT (one) DO UPDATE SET source_id = :id, source_state = :mark, started_time = :now`,
        { id: header.storeId, mark, now: clock() },
      );
      for (const { table, name, type } of await columnsIn(database, schema)) {
        const columns = types.get(table) ?? new Map<string, string>();
        types.set(table, columns.set(name, type));
      }
      await empty();
    },
    async write(table, rows: readonly Row[]) {
      const statement = await insertInto(table);
      const values = table.columns.map(({ name }, i) => [name, rows.map((row) => row[i])]);
      await database.unprepared.run(statement, Object.fromEntries(values));
    },
    async end({ sequences }) {
      for (const { table, sequence } of await numberedIn(database, schema)) {
        const last = sequences[table] ?? 0;
        await database.run('SELECT setval(:sequence::regclass, :at, :isUsed)', {
          sequence,
          at: Math.max(1, last),
          isUsed: last > 0,
        });
      }
      // The server would update its statistics by itself, but plans would be bad until then.
      for (const name of types.keys()) await database.run(`ANALYZE @${quoteName(name)}`);
      await migrate(database);
      return database;
    },
    async finish() {
      const ended = await database.run('DELETE FROM @store_copy WHERE source_state = :mark', {
        mark,
      });
      if (ended === 1) return;
      throw new NotPossible(
        `another restore into schema ${schema} ran at the same time, and their rows may be mixed: run one of them again, alone`,
      );
    },
    close: () => database.close(),
  };
}

async function requireNoTables(database: Database): Promise<void> {
  const found = await database.get('SELECT 1 FROM pg_tables WHERE schemaname = :schema LIMIT 1', {
    schema: database.schema,
  });
  if (found === undefined) return;
  throw new NotPossible(
    `schema ${database.schema} has tables that are not of Unwrite; name another one with --store-schema`,
  );
}

/** Empty tables, or those of a restore that did not come to its end. */
async function requireEmpty(
  database: Database,
  applied: readonly string[],
  { migrations, version }: BackupHeader,
): Promise<void> {
  const { schema } = database;
  const filled = (await isRestoring(database)) ? [] : await filledTables(database, schema, []);
  const anew = `name another one with --store-schema, or drop this one if nothing in it is needed (DROP SCHEMA ${quoteName(schema)} CASCADE)`;
  if (filled.length > 0) {
    throw new NotPossible(
      `there is a store in schema ${schema}, and nothing is written over it: it has rows in ${filled.join(', ')}; ${anew}`,
    );
  }
  if (applied.join() === migrations.map(({ name }) => name).join()) return;
  throw new NotPossible(
    `the tables in schema ${schema} are not those of version ${version}, which made the backup; ${anew}`,
  );
}

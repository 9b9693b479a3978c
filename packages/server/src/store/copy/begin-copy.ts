// Decides whether the target may be copied into: it must be empty, or hold an unfinished copy of this same store.
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { quoteName } from '../dialect.ts';
import type { Database, Sql } from '../postgres/database.ts';
import { readKey } from './canonical.ts';
import { FRESH_ALARM_PROGRESS, filledTables } from './filled-tables.ts';
import type { CopySource } from './open-source.ts';
import { type Key, TABLE_NAMES } from './tables.ts';

export interface TableProgress {
  readonly after: Key | null;
  readonly rows: number;
}

export interface BegunCopy {
  /** Both were found equal before: there is nothing left to copy, and nodes may be using the target. */
  readonly isFinished: boolean;
  readonly progress: ReadonlyMap<string, TableProgress>;
}

interface CopyRow {
  readonly sourceId: string;
  readonly sourceState: string;
  readonly finishedTime: number | null;
}

export function beginCopy(
  database: Database,
  source: CopySource,
  { fromScratch, now }: { readonly fromScratch: boolean; readonly now: number },
): Promise<BegunCopy> {
  return database.transaction(async (sql) => {
    if (fromScratch) await emptyUnfinished(sql, database.schema);
    const begun = await sql.run(
      `INSERT INTO @store_copy (one, source_id, source_state, started_time) VALUES (1, :id, :state, :now)
       ON CONFLICT DO NOTHING`,
      { id: source.id, state: source.state, now },
    );
    if (begun === 1) await prepareEmpty(sql, database.schema, source);
    const copy = await copyIn(sql);
    if (copy === undefined) throw new Error('a copy that was just begun is gone');
    requireSame(copy, source);
    return {
      isFinished: copy.finishedTime !== null,
      progress: await progressIn(sql, source),
    };
  });
}

function copyIn(sql: Sql): Promise<CopyRow | undefined> {
  return sql.get(
    `SELECT source_id AS "sourceId", source_state AS "sourceState", finished_time AS "finishedTime"
     FROM @store_copy`,
  );
}

async function prepareEmpty(sql: Sql, schema: string, source: CopySource): Promise<void> {
  const filled = await filledTables(sql, schema, []);
  if (filled.length > 0) {
    throw new NotPossible(
      `the target is not empty: schema ${schema} has rows in ${filled.join(', ')}; name another schema, or drop this one if nothing in it is needed (DROP SCHEMA ${quoteName(schema)} CASCADE)`,
    );
  }
  await sql.run('DELETE FROM @alarm_progress');
  await sql.run(
    `INSERT INTO @copied_tables (table_name, rows, is_done)
     SELECT name, 0, false FROM unnest(:names::text[]) AS name`,
    { names: source.tables.map(({ name }) => name) },
  );
}

function requireSame(copy: CopyRow, source: CopySource): void {
  const again =
    copy.finishedTime === null
      ? 'to start over with this one, add --from-scratch'
      : 'name another schema';
  if (copy.sourceId !== source.id) {
    throw new NotPossible(`the target holds a copy of another store; ${again}`);
  }
  if (copy.sourceState === source.state) return;
  throw new NotPossible(
    copy.finishedTime === null
      ? `the store in ${source.dataDir} was written to since the copy began; ${again}`
      : `the store in ${source.dataDir} was written to since it was copied: what came to it is not in the target; use one of the two, or copy it again into another schema`,
  );
}

async function progressIn(sql: Sql, source: CopySource): Promise<Map<string, TableProgress>> {
  const rows = await sql.all<{ name: string; afterKey: string | null; rows: number }>(
    'SELECT table_name AS name, after_key AS "afterKey", rows FROM @copied_tables',
  );
  const known = new Map(source.tables.map((table) => [table.name, table]));
  const progress = new Map<string, TableProgress>();
  for (const { name, afterKey, rows: copied } of rows) {
    const table = known.get(name);
    if (table === undefined) throw new NotPossible(`another version began this copy: ${name}`);
    const after = afterKey === null ? null : readKey(table, afterKey);
    progress.set(name, { after, rows: copied });
  }
  return progress;
}

async function emptyUnfinished(sql: Sql, schema: string): Promise<void> {
  const copy = await copyIn(sql);
  if (copy === undefined) return;
  if (copy.finishedTime !== null) {
    throw new NotPossible(
      `the copy in schema ${schema} is finished and may be in use; nothing is removed from it`,
    );
  }
  const tables = [...TABLE_NAMES, 'store_copy', 'copied_tables'].map((name) => `@${name}`);
  await sql.run(`TRUNCATE ${tables.join(', ')}`);
  await sql.run(`INSERT INTO @alarm_progress SELECT (${FRESH_ALARM_PROGRESS}::@alarm_progress).*`);
}

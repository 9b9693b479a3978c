import { quoteName } from '../dialect.ts';
import type { Sql } from '../postgres/database.ts';

/** The row that migrations insert; the copy has its own. */
export const FRESH_ALARM_PROGRESS = 'ROW (1, -1, 0, 0, 0, 0, 0, 0)';
const NOT_DATA = ['schema_migrations', 'store_copy', 'copied_tables'];

/** The tables of the target schema that contain rows, except those named. */
export async function filledTables(
  sql: Sql,
  schema: string,
  except: readonly string[],
): Promise<string[]> {
  const tables = await sql.all<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = :schema AND tablename <> ALL(:except::text[]) ORDER BY tablename`,
    { schema, except: [...NOT_DATA, ...except] },
  );
  const filled: string[] = [];
  for (const { name } of tables) {
    const where =
      name === 'alarm_progress' ? `AS it WHERE it <> ${FRESH_ALARM_PROGRESS}::@alarm_progress` : '';
    const found = await sql.get<{ some: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM @${quoteName(name)} ${where}) AS some`,
    );
    if (found?.some) filled.push(name);
  }
  return filled;
}

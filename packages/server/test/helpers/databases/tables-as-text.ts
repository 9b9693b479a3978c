// Every row of the store's tables and of its queue's as text, with bytes in hexadecimal.
const SCHEMAS = ['unwrite', 'unwrite_queue'];

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

export async function tablesAsText(query: Query): Promise<[string, string][]> {
  const tables = await query(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN (${SCHEMAS.map((schema) => `'${schema}'`)})`,
  );
  const texts: [string, string][] = [];
  for (const { name } of tables) {
    const rows = await query(`SELECT t::text AS row FROM ${name} AS t`);
    texts.push([String(name), rows.map(({ row }) => row).join('\n')]);
  }
  return texts;
}

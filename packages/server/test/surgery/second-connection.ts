// Another session at the same database, for transactions that are open while Unwrite works.
import { createConnection } from 'mysql2/promise';
import pg from 'pg';

export interface SecondConnection {
  query(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function connectPostgres(url: string): Promise<SecondConnection> {
  const client = new pg.Client(url);
  await client.connect();
  return {
    query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    close: () => client.end(),
  };
}

export async function connectMariadb(url: string): Promise<SecondConnection> {
  const connection = await createConnection({ uri: url });
  return {
    async query(sql) {
      const [rows] = await connection.query(sql);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
    },
    close: () => connection.end(),
  };
}

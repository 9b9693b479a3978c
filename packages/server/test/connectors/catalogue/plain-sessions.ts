// The thinnest sessions over the three drivers: statements go through as they are.
import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { SqlFailure, type SqlRow, type SqlSession } from '../../../src/connectors/sql/session.ts';

export interface PlainSession extends SqlSession {
  close(): Promise<void>;
}

export async function openPostgres(url: string): Promise<PlainSession> {
  const client = new pg.Client(url);
  await client.connect();
  return {
    query: (sql, values = []) =>
      refuse('sql', async () => {
        const result = await client.query(sql, [...values]);
        return { rows: result.rows as SqlRow[], changes: result.rowCount ?? 0 };
      }),
    close: () => client.end(),
  };
}

export async function openMysql(url: string): Promise<PlainSession> {
  const connection = await createConnection(url);
  return {
    query: (sql, values = []) =>
      refuse('sql', async () => {
        const [rows] = await connection.query(sql, [...values]);
        return { rows: Array.isArray(rows) ? (rows as SqlRow[]) : [], changes: 0 };
      }),
    close: () => connection.end(),
  };
}

export function openSqlite(path: string): PlainSession {
  const database = new DatabaseSync(path);
  return {
    query: (sql, values = []) =>
      refuse('sql', async () => ({
        rows: database.prepare(sql).all(...(values as string[])) as SqlRow[],
        changes: 0,
      })),
    close: async () => database.close(),
  };
}

async function refuse<T>(code: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SqlFailure('other', code, error instanceof Error ? error.message : 'refused');
  }
}

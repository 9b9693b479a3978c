// What the server hides from an account: a cascade or trigger that it cannot see would go unnoticed. Read together
// with the catalogue, because rights may be revoked at any time after the gate has let a target through.
import type { SqlSession } from '../sql/session.ts';
import { readGranted } from './mysql-granted.ts';

export interface Sight {
  /** In the form of GRANT: `'app'@'%'`. */
  readonly account: string;
  readonly hidesKeys: boolean;
  hidesTriggersOf(schema: string, table: string): boolean;
}

/** Rights on tables: an account that has one of them on everything sees the foreign keys of all tables. */
const SHOWING = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'REFERENCES', 'ALTER', 'CREATE']);

/** `seesEngine`: the account may read the engine's own list of keys, by a right of its own or of a role. */
export async function readSight(session: SqlSession, seesEngine: boolean): Promise<Sight> {
  const granted = await readGranted(async (sql, values) => (await session.query(sql, values)).rows);
  const { account, everywhere } = granted;
  return {
    account,
    hidesKeys: !seesEngine && !everywhere.some((right) => SHOWING.has(right)),
    hidesTriggersOf: (schema, table) =>
      ![...granted.anywhereIn(schema), ...granted.onTable(schema, table)].includes('TRIGGER'),
  };
}

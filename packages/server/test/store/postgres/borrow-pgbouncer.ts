import pg from 'pg';
import { borrowServer } from '../../helpers/databases/borrow-server.ts';

/** Prepared statements by the transaction. */
export const KNOWS_PREPARED = 1.21;

export async function borrowPgbouncer() {
  const pooler = await borrowServer('pgbouncer');
  const version = pooler === undefined ? 0 : await versionOf(pooler);
  return { pooler, version, knowsPrepared: version >= KNOWS_PREPARED };
}

async function versionOf(server: string): Promise<number> {
  const client = new pg.Client(new URL('pgbouncer', server).href);
  await client.connect();
  const { rows } = await client.query('SHOW VERSION').finally(() => client.end());
  return Number(/\d+\.\d+/.exec(JSON.stringify(rows)));
}

// How many rows a transaction has changed by any means, cascades and triggers included: docs/adr/0034-measured-changes.md.
import { setTimeout as wait } from 'node:timers/promises';
import type { Measured } from '../sql/dialect.ts';
import { SqlFailure, type SqlSession } from '../sql/session.ts';

// The server refreshes this view only when nobody has read it for 0.1 s. Each row has the statement that was running
// when the view was made: a row with the text of this statement is fresh. The text is cut after 1024 characters.
const rowsModified = (nonce: string) => `
  SELECT /* ${nonce} */ trx_rows_modified AS n, trx_query AS statement
  FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = CONNECTION_ID()`;
const HANDLERS = `
  SHOW SESSION STATUS WHERE Variable_name IN ('Handler_write', 'Handler_update', 'Handler_delete')`;

const MAX_TRIES = 40;
const STALE_MS = 105;

/** Others may read the view too, so that it grows old only by chance: the wait differs each time. */
export async function readRowsModified(session: SqlSession): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await wait(STALE_MS + Math.random() * STALE_MS);
    const nonce = crypto.randomUUID();
    const { rows } = await session.query(rowsModified(nonce));
    const [row] = rows;
    if (row !== undefined && String(row.statement).includes(nonce)) return Number(row.n);
  }
  throw new SqlFailure(
    'lock',
    'not_measured',
    'the server did not say in time how many rows the transaction has changed: something reads information_schema.INNODB_TRX more often than every 0.1 s',
  );
}

/** Of the whole session, so only differences mean anything. */
export async function readHandlers(session: SqlSession): Promise<Measured> {
  const { rows } = await session.query(HANDLERS);
  const counted = new Map(rows.map((row) => [String(row.Variable_name), Number(row.Value)]));
  const of = (event: string) => counted.get(`Handler_${event}`) ?? 0;
  return { written: of('write'), updated: of('update'), deleted: of('delete') };
}

// For databases that keep no record of their transactions: each writes a row into a table of ours before it is recorded. Asking
// inserts the same row: it waits until the other transaction has ended; a duplicate then means that it has
// committed, and success that it never can. The row of the question is removed again, so that the answer stays the same.
import { randomUUID } from 'node:crypto';
import type { TransactionEnd } from '../../../domain/target/connector.ts';
import { DAY_MS } from '../../../domain/time-units.ts';
import { type SqlDatabase, SqlFailure, type SqlSession } from '../session.ts';
import type { NamedTransactions } from './named-transactions.ts';

export const TRANSACTION_TABLE = 'unwrite_transactions';

/** A row is kept longer than it is asked for: a row that was removed would look like a rollback. */
const ASKED_MS = 90 * DAY_MS;
const KEPT_MS = 100 * DAY_MS;
const MAX_OLD = 500;

const INSERT = `INSERT INTO ${TRANSACTION_TABLE} (number, began) VALUES (?, ?)`;
const OLD = `SELECT number FROM ${TRANSACTION_TABLE} WHERE began < ? ORDER BY began LIMIT ${MAX_OLD}`;
const REMOVE = `DELETE FROM ${TRANSACTION_TABLE} WHERE number = ?`;

export function transactionTable(
  create: readonly string[],
  grant: string | null,
  isUsable: (session: SqlSession) => Promise<boolean>,
): NamedTransactions {
  return {
    table: { create, grant },
    async canName(session) {
      try {
        if (!(await isUsable(session))) return false;
        await session.query(OLD, [0]);
        return true;
      } catch (error) {
        if (error instanceof SqlFailure) return false;
        throw error;
      }
    },
    async name(session, now) {
      const number = randomUUID();
      await session.query(INSERT, [number, now]);
      return `${now} ${number}`;
    },
    ask: askTable,
    /** By their numbers, so that no range is locked in which others insert. */
    async tidy(database, now) {
      const { rows } = await database.transaction('read', (session) =>
        session.query(OLD, [now - KEPT_MS]),
      );
      if (rows.length === 0) return;
      await database.transaction('write', async (session) => {
        for (const { number } of rows) await session.query(REMOVE, [String(number)]);
      });
    },
  };
}

async function askTable(database: SqlDatabase, name: string, now: number): Promise<TransactionEnd> {
  const [began, number] = name.split(' ');
  if (number === undefined || !(now - Number(began) < ASKED_MS)) return 'unknown';
  try {
    await database.transaction('write', async (session) => {
      await session.query(INSERT, [number, now]);
      await session.query(REMOVE, [number]);
    });
    return 'rolled_back';
  } catch (error) {
    if (error instanceof SqlFailure && error.refusedBy === 'constraint') return 'committed';
    throw error;
  }
}

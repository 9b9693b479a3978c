// Detects that hand-written statements have ended their transaction, as a procedure with COMMIT does on MySQL
// and MariaDB: then nothing of it can be undone.
import type { SqlDialect } from '../dialect.ts';
import { SqlFailure, type SqlSession } from '../session.ts';

export interface WatchedTransaction {
  watch<T>(session: SqlSession, statements: () => Promise<T>): Promise<T>;
  isOpen(session: SqlSession): Promise<boolean>;
  /** True if it happened in any of the attempts. */
  readonly hasEnded: boolean;
}

const MARK = 'unwrite_statements';

export function watchTransaction({ proceduresCommit }: SqlDialect): WatchedTransaction {
  let hasEnded = false;

  async function isOpen(session: SqlSession): Promise<boolean> {
    if (!proceduresCommit) return true;
    try {
      await session.query(`RELEASE SAVEPOINT ${MARK}`);
      return true;
    } catch (error) {
      if (!(error instanceof SqlFailure)) throw error;
      hasEnded = true;
      return false;
    }
  }

  return {
    async watch(session, statements) {
      if (proceduresCommit) await session.query(`SAVEPOINT ${MARK}`);
      try {
        return await statements();
      } catch (error) {
        // A deadlock has ended it by rolling it back.
        if (error instanceof SqlFailure && error.kind !== 'lock') await isOpen(session);
        throw error;
      }
    },
    isOpen,
    get hasEnded() {
      return hasEnded;
    },
  };
}

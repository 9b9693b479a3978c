// Detects that hand-written statements have ended their transaction, as a procedure with COMMIT does on MySQL
// and MariaDB: then nothing of it can be undone.
import type { SqlDialect } from '../dialect.ts';
import { SqlFailure, type SqlSession } from '../session.ts';

export interface WatchedTransaction {
  watch(session: SqlSession): Promise<void>;
  isOpen(session: SqlSession): Promise<boolean>;
  /** True if it happened in any of the attempts. */
  readonly hasEnded: boolean;
}

const MARK = 'unwrite_statements';

export function watchTransaction({ proceduresCommit }: SqlDialect): WatchedTransaction {
  let hasEnded = false;
  return {
    async watch(session) {
      if (proceduresCommit) await session.query(`SAVEPOINT ${MARK}`);
    },
    async isOpen(session) {
      if (!proceduresCommit) return true;
      try {
        await session.query(`RELEASE SAVEPOINT ${MARK}`);
        return true;
      } catch (error) {
        if (!(error instanceof SqlFailure)) throw error;
        hasEnded = true;
        return false;
      }
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}

// Transactions that erase have names, by which the database is asked later how they ended: a worker that dies
// between its COMMIT and the answer leaves that question behind. See docs/adr/0035-named-transactions.md.
import {
  type EraseSteps,
  type Erasure,
  type Subject,
  type TransactionEnd,
  totalOf,
} from '../../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import { LEFT_OUT } from '../../erase-as-previewed.ts';
import { type SqlDatabase, SqlFailure, type SqlSession } from '../session.ts';
import { watchWarnings } from './watch-warnings.ts';

/** How a kind of database names its transactions. */
export interface NamedTransactions {
  /** Whether transactions can be named here now. The session only reads. */
  canName(session: SqlSession): Promise<boolean>;
  /** To be called before the name is recorded. */
  name(session: SqlSession, now: number): Promise<string>;
  /** Throws SqlFailure of the kind `lock` while the transaction is open. */
  ask(database: SqlDatabase, name: string, now: number): Promise<TransactionEnd>;
  /** Forgets transactions that are not asked about any more; absent if the database does that itself. */
  tidy?(database: SqlDatabase, now: number): Promise<void>;
  /** The table that is needed in the target; null if the database can be asked without one. */
  readonly table: { readonly create: readonly string[]; readonly grant: string | null } | null;
}

export interface ErasingTransactions {
  /** Runs `work` in a transaction of its own, and records it right before the commit; rolled back where it may not be. */
  run(
    subjects: readonly Subject[],
    work: (session: SqlSession) => Promise<Erasure[]>,
    record: EraseSteps['record'],
  ): Promise<Erasure[]>;
  endOf(names: readonly string[]): Promise<TransactionEnd[]>;
}

const CAN_NAME_LASTS_MS = 60_000;

class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

function isChange(erasure: Erasure): boolean {
  return erasure.outcome === 'erased' && totalOf(erasure.counts) > 0;
}

export function createErasingTransactions(
  database: SqlDatabase,
  names: NamedTransactions,
  accept: SqlTargetConfig['accept'],
): ErasingTransactions {
  let known: { readonly canName: boolean; readonly until: number } | undefined;

  /** Asked again after a while: the operator may have made the table. */
  async function canName(): Promise<boolean> {
    if (known !== undefined && known.until > performance.now()) return known.canName;
    const isPossible = await database.transaction('read', (session) => names.canName(session));
    if (isPossible) await names.tidy?.(database, Date.now());
    known = { canName: isPossible, until: performance.now() + CAN_NAME_LASTS_MS };
    return isPossible;
  }

  async function endOf(name: string): Promise<TransactionEnd> {
    try {
      return await names.ask(database, name, Date.now());
    } catch (error) {
      if (!(error instanceof SqlFailure)) throw error;
      return error.kind === 'lock' ? 'open' : 'unknown';
    }
  }

  return {
    async run(subjects, work, record) {
      const isNamed = await canName();
      const refused = new RolledBack();
      try {
        return await database.transaction('write', async (session) => {
          const watched = watchWarnings(session);
          const all = await work(watched.session);
          watched.refuse(accept);
          const erasures = subjects.flatMap(({ taskNo }, place) => {
            const erasure = all[place];
            return erasure !== undefined && isChange(erasure) ? [{ taskNo, erasure }] : [];
          });
          if (erasures.length === 0) return all;
          // Last, so that it is not among the changes that are counted.
          const name = isNamed ? await names.name(session, Date.now()) : null;
          if (!(await record({ name, erasures }))) throw refused;
          return all;
        });
      } catch (error) {
        if (error !== refused) throw error;
        return subjects.map(() => LEFT_OUT);
      }
    },
    async endOf(asked) {
      const ends: TransactionEnd[] = [];
      for (const name of asked) ends.push(await endOf(name));
      return ends;
    },
  };
}

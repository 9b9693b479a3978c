// unwrite target prepare: the table by which a database says how a transaction ended.
import { TargetDown } from '../../../domain/target/connector.ts';
import { TARGET_REFUSED } from '../../../domain/target/target-refused.ts';
import { type SqlDatabase, SqlFailure } from '../session.ts';
import type { NamedTransactions } from './named-transactions.ts';

export async function prepareTransactions(
  database: SqlDatabase,
  transactions: NamedTransactions,
  isRun: boolean,
): Promise<string> {
  const { table } = transactions;
  const isReady = () => database.transaction('read', (session) => transactions.canName(session));
  if (await isReady()) return 'Ready: this database says how a transaction ended.\n';
  if (table === null)
    return 'This server does not have the functions that say how a transaction ended (pg_xact_status); there is nothing to prepare.\n';
  const grant = table.grant === null ? [] : [`${table.grant} TO <the account of the target>`];
  const statements = [...table.create, ...grant].map((sql) => `${sql};\n`).join('');
  if (!isRun) return statements;
  try {
    for (const sql of table.create)
      await database.transaction('write', (session) => session.query(sql));
  } catch (error) {
    if (!(error instanceof SqlFailure)) throw error;
    throw new TargetDown(
      error.code,
      `the account could not make the table (${error.message}); have an administrator run what the command prints without --run`,
    );
  }
  if (await isReady()) return 'Made: this database says from now on how a transaction ended.\n';
  throw new TargetDown(
    TARGET_REFUSED,
    'the table is there, and the account may not use it; have an administrator run the GRANT that the command prints without --run',
  );
}

import type { CheckLine, Connector } from '../../domain/target/connector.ts';
import type { SqlConnector, SqlTargetConfig } from '../../domain/target/target.ts';
import { targetRefused } from '../../domain/target/target-refused.ts';
import { mysqlDialect } from '../mysql/mysql-dialect.ts';
import { openMysql } from '../mysql/open-mysql.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { postgresDialect } from '../postgres/postgres-dialect.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts';
import type { SqlDialect } from './dialect.ts';
import { eraseRows } from './erase/erase-rows.ts';
import { createOwnValues } from './erase/own-values.ts';
import { resolveIdentities } from './find/lookups/resolve-identities.ts';
import { previewRows } from './find/preview-rows.ts';
import type { SqlDatabase } from './session.ts';
import { createStatementsTarget } from './statements/statements-target.ts';
import { createTablesTarget } from './tables-target.ts';
import { createErasingTransactions } from './transactions/named-transactions.ts';
import { verifyRows } from './verify/verify-rows.ts';

export const SQL_DIALECTS: Readonly<Record<SqlConnector, SqlDialect>> = {
  postgres: postgresDialect,
  mysql: mysqlDialect,
  sqlite: sqliteDialect,
};

const OPEN: Readonly<Record<SqlConnector, (config: SqlTargetConfig) => SqlDatabase>> = {
  postgres: openPostgres,
  mysql: openMysql,
  sqlite: openSqlite,
};

export function openSqlDatabase(config: SqlTargetConfig): SqlDatabase {
  return OPEN[config.connector](config);
}

export interface SqlConnectorParts {
  /** Keyed digests: for columns overwritten by a hash, and to recognise our own values. */
  hash(value: string): string;
  /** See TablesTarget: lets a test interfere at the most dangerous moment. */
  readonly beforeChange?: () => Promise<void>;
}

/** Neither connects nor loads a driver before the first use. */
export function createSqlConnector(config: SqlTargetConfig, parts: SqlConnectorParts): Connector {
  const dialect = SQL_DIALECTS[config.connector];
  const database = openSqlDatabase(config);
  const { resolve } = config;
  return {
    isAtomic: true,
    ...createWork(config, dialect, database, parts),
    async check() {
      const { checkSqlTarget } = await import('./check/check-sql-target.ts');
      return checkSqlTarget(database, config, dialect);
    },
    async describePlan() {
      const { describeSqlTarget } = await import('./check/check-sql-target.ts');
      return describeSqlTarget(database, config, dialect);
    },
    async gate() {
      const { gateSqlTarget } = await import('./check/check-sql-target.ts');
      const report = await gateSqlTarget(database, config, dialect);
      // Asked again, the server decides about rights that may have been granted by then.
      if (report.problems.length > 0) database.renew();
      return report;
    },
    ...(resolve === null
      ? {}
      : {
          resolve: (subjects) =>
            resolveIdentities({ config, dialect, database }, resolve, subjects),
        }),
    close: () => database.close(),
  };
}

/** Tables and hand-written statements implement the same three functions. */
function createWork(
  config: SqlTargetConfig,
  dialect: SqlDialect,
  database: SqlDatabase,
  { hash, beforeChange }: SqlConnectorParts,
): Pick<Connector, 'preview' | 'erase' | 'endOf' | 'verify'> {
  const { work } = config;
  const findProblems = async () => {
    const { gateSqlTarget } = await import('./check/check-sql-target.ts');
    return (await gateSqlTarget(database, config, dialect)).problems;
  };
  const isUsable = async () => (await findProblems()).length === 0;
  const transactions = createErasingTransactions(database, dialect.transactions, config.accept);
  const { endOf } = transactions;
  if (work.kind === 'statements') {
    const target = createStatementsTarget({
      config,
      work,
      dialect,
      database,
      transactions,
      isUsable,
    });
    // Hand-written statements name their tables themselves: there is no plan to check.
    const refuse = createRefusal(findProblems);
    return {
      ...target,
      async erase(subjects, steps) {
        await refuse();
        return target.erase(subjects, steps);
      },
      // Recorded before: a statement may commit by itself.
      ...(!dialect.proceduresCommit && { endOf }),
    };
  }
  const target = createTablesTarget({
    config,
    work,
    dialect,
    database,
    ownValues: createOwnValues(hash),
    transactions,
    isUsable,
    beforeChange,
  });
  return {
    preview: (subjects) => previewRows(target, subjects),
    erase: (subjects, steps) => eraseRows(target, subjects, steps),
    endOf,
    verify: (orders) => verifyRows(target, orders),
  };
}

const REFUSAL_LASTS_MS = 60_000;

/** Throws if there is a problem. The result is reused for a minute. */
function createRefusal(look: () => Promise<readonly CheckLine[]>): () => Promise<void> {
  let passedUntil = 0;
  return async () => {
    if (performance.now() < passedUntil) return;
    const problems = await look();
    if (problems.length > 0) throw targetRefused(problems);
    passedUntil = performance.now() + REFUSAL_LASTS_MS;
  };
}

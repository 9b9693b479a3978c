// A database of a test's own, and the check of a plan on it.
import { join } from 'node:path';
import { mysqlDialect } from '../../../src/connectors/mysql/mysql-dialect.ts';
import { openMysql } from '../../../src/connectors/mysql/open-mysql.ts';
import { openPostgres } from '../../../src/connectors/postgres/open-postgres.ts';
import { postgresDialect } from '../../../src/connectors/postgres/postgres-dialect.ts';
import { checkSqlTarget } from '../../../src/connectors/sql/check/check-sql-target.ts';
import type { SqlDialect } from '../../../src/connectors/sql/dialect.ts';
import type { SqlDatabase, SqlRow } from '../../../src/connectors/sql/session.ts';
import { openSqlite } from '../../../src/connectors/sqlite/open-sqlite.ts';
import { sqliteDialect } from '../../../src/connectors/sqlite/sqlite-dialect.ts';
import type { CheckLine } from '../../../src/domain/target/connector.ts';
import type {
  SqlConnector,
  SqlTargetConfig,
  TableConfig,
  TablesWork,
} from '../../../src/domain/target/target.ts';
import { emptiedPostgres } from '../../helpers/databases/emptied-postgres.ts';
import { freshMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import type { FreshDatabase } from '../../helpers/databases/fresh-postgres.ts';
import { keepSqliteTargetsInThread } from '../../helpers/databases/sqlite-in-thread.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { openSqlite as openPlainSqlite } from '../catalogue/plain-sessions.ts';
import { aTable, type TableChanges } from '../sql/sql-target.ts';

export interface CheckedTarget {
  readonly url: string;
  run(sql: string): Promise<SqlRow[]>;
  /** As the administrator, or as the account of this address. */
  check(config: Partial<SqlTargetConfig>, url?: string): Promise<CheckLine[]>;
  close(): Promise<void>;
}

const DIALECTS: Record<SqlConnector, SqlDialect> = {
  postgres: postgresDialect,
  mysql: mysqlDialect,
  sqlite: sqliteDialect,
};

const OPEN: Record<SqlConnector, (config: SqlTargetConfig) => SqlDatabase> = {
  postgres: openPostgres,
  mysql: openMysql,
  sqlite: openSqlite,
};

export async function makeTarget(connector: SqlConnector): Promise<CheckedTarget> {
  const fresh = await freshDatabase(connector);
  return {
    url: fresh.url,
    run: (sql) => fresh.query(sql),
    async check(config, url = fresh.url) {
      const whole = targetConfig(connector, url, config);
      const database = OPEN[connector](whole);
      return checkSqlTarget(database, whole, DIALECTS[connector]).finally(() => database.close());
    },
    close: () => fresh.close(),
  };
}

function freshDatabase(connector: SqlConnector): Promise<FreshDatabase> {
  if (connector === 'postgres') return emptiedPostgres();
  if (connector === 'mysql') return freshMariadb();
  keepSqliteTargetsInThread();
  const folder = makeTemporaryFolder();
  const url = join(folder.path, 'target.db');
  const session = openPlainSqlite(url);
  return Promise.resolve({
    url,
    async query(sql) {
      let rows: readonly SqlRow[] = [];
      for (const statement of sql.split(';\n')) rows = (await session.query(statement)).rows;
      return [...rows];
    },
    async close() {
      await session.close();
      folder.remove();
    },
  });
}

function targetConfig(
  connector: SqlConnector,
  address: string,
  config: Partial<SqlTargetConfig>,
): SqlTargetConfig {
  return {
    name: 'shop',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: 1000,
    maxRowsPerDay: null,
    batchSize: 100,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest: '',
    planDigest: '',
    connector,
    address,
    tenancy: { way: 'none' },
    work: tables(),
    statementTimeout: 5000,
    lockTimeout: 1000,
    resolve: null,
    accept: {},
    ...config,
  };
}

export function tables(
  list: readonly TableConfig[] = [],
  more: Partial<Pick<TablesWork, 'cascades' | 'triggers' | 'detach'>> = {},
): TablesWork {
  return { kind: 'tables', tables: list, cascades: [], triggers: [], ...more };
}

/** Deleted by email unless said otherwise. */
export function table(name: string, more: TableChanges = {}): TableConfig {
  return aTable(name, { ...(more.via === undefined && { match: { email: 'email' } }), ...more });
}

export function via(parent: string, columns: Record<string, string>): Pick<TableConfig, 'via'> {
  return { via: [{ parent, columns }] };
}

/** `level subject: message`, as a person reads them. */
export function written(lines: readonly CheckLine[], ...levels: CheckLine['level'][]): string[] {
  return lines
    .filter(({ level }) => levels.length === 0 || levels.includes(level))
    .map(({ level, subject, message }) => `${level} ${subject}: ${message}`);
}

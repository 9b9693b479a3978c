// Connectors for commands that only read targets.
import { createSecretKey, randomBytes } from 'node:crypto';
import type { TargetDatabase } from '../config/targets/sql/read-database.ts';
import { createConnector } from '../connectors/create-connector.ts';
import type { SqlTargetConfig } from '../domain/target/target.ts';
import { type ConnectorsInUse, createConnectorsInUse } from '../fulfilment/connectors-in-use.ts';
import { asTargetDown } from '../fulfilment/guard-connector.ts';
import { createOverwriteHash } from '../vault/own-secret.ts';

/** These connectors overwrite nothing, so hashes need no permanent key and no store. */
export function openConnectorsToLook(domain: string): ConnectorsInUse {
  const key = createSecretKey(randomBytes(32));
  return createConnectorsInUse((target) =>
    createConnector(target, { hash: createOverwriteHash(key, target.name), domain }),
  );
}

/** A first plan, as YAML. */
export async function suggestPlanFor(database: TargetDatabase): Promise<string> {
  const { openSqlDatabase, SQL_DIALECTS } = await import(
    '../connectors/sql/create-sql-connector.ts'
  );
  const { suggestTarget } = await import('../connectors/sql/suggest/suggest-target.ts');
  const { name, connector, written, tenancy, tenantColumn } = database;
  const opened = openSqlDatabase(withoutPlan(database));
  const address = written ?? '# url: as it is in your file; it is not shown here';
  try {
    return await asTargetDown(() =>
      suggestTarget(opened, SQL_DIALECTS[connector], {
        name,
        connector,
        address,
        tenancy,
        tenantColumn,
      }),
    );
  } finally {
    await opened.close();
  }
}

/** What lets a database say later how a transaction ended: as SQL for its administrator, or made at once. */
export async function prepareTarget(database: TargetDatabase, isRun: boolean): Promise<string> {
  const { openSqlDatabase, SQL_DIALECTS } = await import(
    '../connectors/sql/create-sql-connector.ts'
  );
  const { prepareTransactions } = await import(
    '../connectors/sql/transactions/prepare-transactions.ts'
  );
  const opened = openSqlDatabase(withoutPlan(database));
  try {
    return await asTargetDown(() =>
      prepareTransactions(opened, SQL_DIALECTS[database.connector].transactions, isRun),
    );
  } finally {
    await opened.close();
  }
}

function withoutPlan({ name, connector, address }: TargetDatabase): SqlTargetConfig {
  return {
    name,
    connector,
    address,
    mode: 'preview',
    controllers: null,
    maxRowsPerSubject: 1,
    maxRowsPerDay: null,
    batchSize: 1,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest: '',
    planDigest: '',
    tenancy: { way: 'none' },
    work: { kind: 'tables', tables: [], cascades: [], triggers: [] },
    statementTimeout: 60_000,
    lockTimeout: 2000,
    resolve: null,
    accept: {},
  };
}

import { afterAll, beforeAll, describe } from 'vitest';
import type { SqlRow } from '../../../src/connectors/sql/session.ts';
import type { CheckLine } from '../../../src/domain/target/connector.ts';
import type { SqlConnector, SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { hasMariadb } from '../../helpers/databases/fresh-mariadb.ts';
import { hasPostgres } from '../../helpers/databases/fresh-postgres.ts';
import { type CheckedTarget, makeTarget } from './checked-target.ts';

export interface OnDatabase {
  readonly connector: SqlConnector;
  /** As the administrator. */
  check(config: Partial<SqlTargetConfig>): Promise<CheckLine[]>;
  run(sql: string): Promise<SqlRow[]>;
  databaseName(): string;
}

/** The same tests on all three, each with a database of its own that holds these tables. */
export async function onEachDatabase(
  title: string,
  sql: string | ((connector: SqlConnector) => string),
  tests: (database: OnDatabase) => void,
): Promise<void> {
  const has = { sqlite: true, postgres: await hasPostgres(), mysql: await hasMariadb() };
  for (const connector of ['sqlite', 'postgres', 'mysql'] as const) {
    describe.skipIf(!has[connector])(`${title} (${connector})`, () => {
      let target: CheckedTarget;
      beforeAll(async () => {
        target = await makeTarget(connector);
        await target.run(typeof sql === 'string' ? sql : sql(connector));
      });
      afterAll(() => target?.close());
      tests({
        connector,
        check: (config) => target.check(config),
        run: (statement) => target.run(statement),
        databaseName: () => target.url.split('/').at(-1) ?? '',
      });
    });
  }
}

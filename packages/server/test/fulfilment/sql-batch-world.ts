// Fulfilment as the worker builds it, over a real store and a real database, with a configuration that
// changes between tries.
import { planDigestOf } from '../../src/config/targets/digest.ts';
import { createSqlConnector } from '../../src/connectors/sql/create-sql-connector.ts';
import type { Connector } from '../../src/domain/target/connector.ts';
import type { SqlTargetConfig, TableConfig } from '../../src/domain/target/target.ts';
import type { FulfilmentStore } from '../../src/domain/task/fulfilment-ports.ts';
import { guardConnector } from '../../src/fulfilment/guard-connector.ts';
import type { SqlTestDatabase } from '../connectors/sql/sql-databases.ts';
import { aTarget, tablesWork, testHash } from '../connectors/sql/sql-target.ts';
import { DAY } from '../contract/fulfilment/under-test.ts';
import { keepSqliteTargetsInThread } from '../helpers/databases/sqlite-in-thread.ts';
import { openBatchWorld } from './batch-world.ts';

export async function openSqlBatchWorld(
  database: SqlTestDatabase,
  tables: readonly TableConfig[],
  changes: Partial<SqlTargetConfig> = {},
) {
  keepSqliteTargetsInThread();
  const opened: Connector[] = [];
  let target = targetOf(database, tables, changes);
  let connector = connectTo(target);
  const world = await openBatchWorld([target]);
  const { under, scene, clock } = world;

  function targetOf(at: SqlTestDatabase, list: readonly TableConfig[], more: typeof changes) {
    const config = aTarget(at, tablesWork(list), more);
    return { ...config, planDigest: planDigestOf(config) };
  }

  function connectTo(config: SqlTargetConfig): Connector {
    const made = createSqlConnector(config, { hash: testHash });
    opened.push(made);
    return guardConnector(made, async () => undefined);
  }

  async function run(store: FulfilmentStore = under.store, using: Connector = connector) {
    return await world.createRun(store, async () => using)(await scene.lease('shop'), target);
  }

  const dead = (reached: () => void): Promise<never> => {
    reached();
    return new Promise(() => undefined);
  };

  return {
    ...world,
    run,
    connectorOf: () => connector,
    /** Takes effect with the next try. */
    configure(list: readonly TableConfig[], more: typeof changes = changes, at = database) {
      target = targetOf(at, list, more);
      connector = connectTo(target);
    },
    /** With some answers of the connector in place of its own. */
    runWith: (answers: Partial<Connector>) => run(under.store, { ...connector, ...answers }),
    /** The worker dies at this point, and its lease ends. */
    async dieBefore(point: 'erase' | 'verify'): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      void run(under.store, { ...connector, [point]: () => dead(resolve) });
      await promise;
      clock.now += 31_000;
    },
    untilTomorrow(): void {
      clock.now += DAY;
    },
    async close(): Promise<void> {
      for (const one of opened) await one.close();
      await world.close();
    },
  };
}

export type SqlBatchWorld = Awaited<ReturnType<typeof openSqlBatchWorld>>;

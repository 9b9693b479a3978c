// One database of a kind for each test, and connectors to it, whole or asked step by step.
import { afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import {
  type Connector,
  type Preview,
  type Subject,
  TargetDown,
} from '../../../src/domain/target/connector.ts';
import type {
  SqlConnector,
  SqlTargetConfig,
  TableConfig,
} from '../../../src/domain/target/target.ts';
import { inMatrix } from '../../helpers/databases/matrix.ts';
import { keepSqliteTargetsInThread } from '../../helpers/databases/sqlite-in-thread.ts';
import { SQL_DATABASES, type SqlTestDatabase } from './sql-databases.ts';
import {
  aSubject,
  aTarget,
  email,
  GONE,
  type Passage,
  passThrough,
  tablesWork,
  testHash,
} from './sql-target.ts';

export interface SqlTargetInUse {
  readonly connector: SqlConnector;
  database(): SqlTestDatabase;
  query(sql: string): Promise<Record<string, unknown>[]>;
  config(tables: readonly TableConfig[], changes?: Partial<SqlTargetConfig>): SqlTargetConfig;
  /** `beforeChange`: awaited in the erasing transaction, between the decision and the first change. */
  open(
    tables: readonly TableConfig[],
    changes?: Partial<SqlTargetConfig>,
    beforeChange?: () => Promise<void>,
  ): Connector;
  /** Of the rows that are left. */
  ids(table: string): Promise<number[]>;
}

/** The same tests on every database of these kinds that can be had here. */
export async function onEverySqlDatabase(
  title: string,
  tests: (target: SqlTargetInUse) => void,
  kinds: readonly SqlConnector[] = ['sqlite', 'postgres', 'mysql'],
): Promise<void> {
  const possible = SQL_DATABASES.filter(({ connector }) => kinds.includes(connector));
  for (const kind of inMatrix(title, possible)) {
    describe.skipIf(!(await kind.isThere()))(`${title} (${kind.name})`, () => {
      let database: SqlTestDatabase;
      let opened: Connector[] = [];
      beforeAll(keepSqliteTargetsInThread);
      beforeEach(async () => {
        database = await kind.open();
      });
      afterEach(async () => {
        for (const connector of opened) await connector.close();
        opened = [];
        await database.close();
      });
      const config: SqlTargetInUse['config'] = (tables, changes) =>
        aTarget(database, tablesWork(tables), changes);
      tests({
        connector: kind.connector,
        database: () => database,
        query: (sql) => database.query(sql),
        config,
        open(tables, changes, beforeChange) {
          const connector = createSqlConnector(config(tables, changes), {
            hash: testHash,
            ...(beforeChange !== undefined && { beforeChange }),
          });
          opened.push(connector);
          return connector;
        },
        async ids(table) {
          const rows = await database.query(`SELECT id FROM ${table} ORDER BY id`);
          return rows.map(({ id }) => Number(id));
        },
      });
    });
  }
}

export const JANE = 'jane@example.com';
export const JOE = 'joe@example.com';

export const jane = (taskNo = 1): Subject => aSubject(taskNo, [email(JANE)]);

export async function previewOf(connector: Connector, subject = jane()): Promise<Preview> {
  const [preview] = await connector.preview([subject]);
  if (preview === undefined) throw new Error('there is no preview');
  return preview;
}

/** From the preview to the verification, which must find nothing left. */
export async function eraseWhole(connector: Connector, subject = jane()): Promise<Passage> {
  const passage = await passThrough(connector, [subject]);
  const [verdict] = passage.verdicts;
  if (JSON.stringify(verdict) !== JSON.stringify(GONE))
    throw new Error(`verified as ${JSON.stringify(verdict)}`);
  return passage;
}

export const via = (parent: string, columns: Readonly<Record<string, string>>) => ({
  parent,
  columns,
});

/** What became of the erasing: the answer, or why the whole target is not worked on. */
export async function passOrRefuse(connector: Connector, subject: Subject) {
  try {
    return (await passThrough(connector, [subject])).erasures[0];
  } catch (error) {
    if (error instanceof TargetDown) return error;
    throw error;
  }
}

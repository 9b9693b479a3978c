// A target declared by tables: its configuration, its plan, and its database.
import type { SqlTargetConfig, TablesWork } from '../../domain/target.ts';
import type { Catalogue } from './catalogue.ts';
import type { SqlDialect } from './dialect.ts';
import type { FindContext } from './find-rows.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';
import type { SqlDatabase, SqlSession } from './session.ts';

export interface TablesTarget {
  readonly config: SqlTargetConfig;
  readonly work: TablesWork;
  readonly dialect: SqlDialect;
  readonly database: SqlDatabase;
  readonly hash: (value: string) => string;
  plan(): Promise<Plan>;
  /** Read anew in this transaction: before anything is changed, the schema must be as it is now. */
  planNow(session: SqlSession): Promise<{ plan: Plan; catalogue: Catalogue }>;
  read<T>(use: (context: FindContext) => Promise<T>): Promise<T>;
}

/** A schema read longer ago is not trusted even to find rows by. */
const PLAN_LASTS_MS = 60_000;

export function createTablesTarget(
  parts: Pick<TablesTarget, 'config' | 'work' | 'dialect' | 'database' | 'hash'>,
): TablesTarget {
  const { config, work, dialect, database } = parts;
  const names = [...new Set([...work.tables.map(({ table }) => table), ...work.cascades])];
  let known: { readonly plan: Plan; readonly until: number } | undefined;

  async function planNow(session: SqlSession): Promise<{ plan: Plan; catalogue: Catalogue }> {
    const schema = await dialect.readSchema(session, names);
    const plan = makePlan(config, work, schema, dialect);
    known = { plan, until: performance.now() + PLAN_LASTS_MS };
    return { plan, catalogue: schema.catalogue };
  }

  const lately = () => (known !== undefined && known.until > performance.now() ? known.plan : null);

  return {
    ...parts,
    planNow,
    async plan() {
      return lately() ?? (await database.transaction('read', planNow)).plan;
    },
    read(use) {
      return database.transaction('read', async (session) => {
        const plan = lately() ?? (await planNow(session)).plan;
        try {
          return await use({ session, dialect, config, plan });
        } catch (error) {
          // Perhaps the schema has changed: the next attempt looks.
          known = undefined;
          throw error;
        }
      });
    },
  };
}

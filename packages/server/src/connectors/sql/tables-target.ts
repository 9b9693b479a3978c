// A target declared by tables: its configuration, its plan, and its database.
import type { SqlTargetConfig, TablesWork } from '../../domain/target/target.ts';
import { targetRefused } from '../../domain/target/target-refused.ts';
import type { Catalogue } from './catalogue.ts';
import { openProblems } from './check/accept-findings.ts';
import { checkStructure, leadNames, tableNames } from './check/structure.ts';
import type { SqlDialect } from './dialect.ts';
import type { OwnValues } from './erase/own-values.ts';
import type { FindContext } from './find/find-context.ts';
import { makePlan } from './plan/make-plan.ts';
import type { Plan } from './plan/plan.ts';
import { changedMeanwhile, type SqlDatabase, type SqlSession } from './session.ts';
import type { ErasingTransactions } from './transactions/named-transactions.ts';

export interface PlanNow {
  readonly plan: Plan;
  readonly catalogue: Catalogue;
}

export interface TablesTarget {
  readonly config: SqlTargetConfig;
  readonly work: TablesWork;
  readonly dialect: SqlDialect;
  readonly database: SqlDatabase;
  readonly ownValues: OwnValues;
  readonly transactions: ErasingTransactions;
  /** Whether its check finds no problem of structure or rights. */
  isUsable(): Promise<boolean>;
  /** Awaited in the transaction that erases, between the decision and the first change. For tests. */
  readonly beforeChange?: (() => Promise<void>) | undefined;
  /** All tables that are declared in some way. */
  readonly names: readonly string[];
  plan(): Promise<Plan>;
  /** Reads the catalogue again in this transaction: a plan made from an older schema must not change anything. */
  planNow(session: SqlSession): Promise<PlanNow>;
  /**
   * To be called when all changes are made. Where the database does not count them, a cascade that came into
   * being after the catalogue was read would go unnoticed: no lock keeps others from adding a foreign key.
   */
  requireSameSchema(session: SqlSession, before: Catalogue): Promise<void>;
  /** Tenants of which a row was seen. */
  readonly knownTenants: Set<string>;
  /** How often `read` found a different schema than the remembered one. */
  changesSeen(): number;
  read<T>(use: (context: FindContext) => Promise<T>): Promise<T>;
}

/** A schema that was read longer ago is not used, not even to find rows. */
const PLAN_LASTS_MS = 60_000;

interface Known extends PlanNow {
  readonly until: number;
  readonly fingerprint: string | undefined;
}

export function createTablesTarget(
  parts: Pick<
    TablesTarget,
    | 'config'
    | 'work'
    | 'dialect'
    | 'database'
    | 'ownValues'
    | 'transactions'
    | 'isUsable'
    | 'beforeChange'
  >,
): TablesTarget {
  const { config, work, dialect, database, ownValues } = parts;
  const names = tableNames(work);
  const leads = leadNames(work);
  let known: Known | undefined;
  let changesSeen = 0;

  async function readPlan(session: SqlSession): Promise<Known> {
    const schema = await dialect.readSchema(session, names, leads);
    const { catalogue } = schema;
    // The catalogue may have changed since the gate.
    const problems = openProblems(
      checkStructure(config, work, schema, dialect).lines,
      config.accept,
    );
    if (problems.length > 0) throw targetRefused(problems);
    const plan = makePlan(config, work, schema, dialect);
    const until = performance.now() + PLAN_LASTS_MS;
    return { plan, catalogue, until, fingerprint: undefined };
  }

  // The two belong together only in a reading transaction, in which all statements see one snapshot.
  async function readKnown(session: SqlSession): Promise<Known> {
    const read = await readPlan(session);
    const fingerprint = await dialect.readFingerprint?.(session, [...read.catalogue.keys()]);
    known = { ...read, fingerprint };
    return known;
  }

  /** "There is nothing" must also be decided with the current schema, not with a remembered one. */
  async function planOf(session: SqlSession): Promise<Plan> {
    const before = lately();
    if (before === undefined) return (await readKnown(session)).plan;
    const { fingerprint, catalogue } = before;
    if (fingerprint !== undefined && dialect.readFingerprint !== null) {
      const now = await dialect.readFingerprint(session, [...catalogue.keys()]);
      if (now === fingerprint) return before.plan;
      changesSeen++;
      return (await readKnown(session)).plan;
    }
    const now = await readPlan(session);
    if (textOf(now.catalogue) === textOf(catalogue)) return before.plan;
    changesSeen++;
    known = now;
    return now.plan;
  }

  const lately = () => (known !== undefined && known.until > performance.now() ? known : undefined);

  return {
    ...parts,
    names,
    knownTenants: new Set(),
    async planNow(session) {
      const before = lately();
      if (before?.fingerprint !== undefined && dialect.readFingerprint !== null) {
        const tables = [...before.catalogue.keys()];
        const now = await dialect.readFingerprint(session, tables);
        if (now === before.fingerprint) return before;
      }
      known = undefined;
      return readPlan(session);
    },
    async requireSameSchema(session, before) {
      if (dialect.changesSoFar !== null) return;
      const { catalogue } = await dialect.readSchema(session, names, leads);
      if (textOf(catalogue) !== textOf(before)) throw changedMeanwhile();
    },
    changesSeen: () => changesSeen,
    async plan() {
      return (lately() ?? (await database.transaction('read', readKnown))).plan;
    },
    read(use) {
      return database.transaction('read', async (session) => {
        try {
          const plan = await planOf(session);
          return await use({ session, dialect, config, plan, ownValues });
        } catch (error) {
          // The schema may have changed: the next attempt reads it again.
          known = undefined;
          throw error;
        }
      });
    },
  };
}

function textOf(catalogue: Catalogue): string {
  return JSON.stringify([...catalogue], (_, value) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
}

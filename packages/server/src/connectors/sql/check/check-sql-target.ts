// The check of an SQL target: everything that could go wrong, line by line. Changes nothing.
import { byName } from '../../../domain/by-name.ts';
import { type CheckLine, type GateReport, TargetDown } from '../../../domain/target/connector.ts';
import { OUTSIDE } from '../../../domain/target/outside.ts';
import type { PlanDescription } from '../../../domain/target/plan-description.ts';
import type {
  SqlConnector,
  SqlTargetConfig,
  StatementsWork,
  TablesWork,
} from '../../../domain/target/target.ts';
import { mysqlProbe } from '../../mysql/probe-mysql.ts';
import { postgresProbe } from '../../postgres/probe-postgres.ts';
import { sqliteProbe } from '../../sqlite/probe-sqlite.ts';
import type { SqlDialect } from '../dialect.ts';
import { describePlan } from '../plan/describe-plan.ts';
import { withoutRunCheck } from '../run-check.ts';
import { type SqlDatabase, SqlFailure } from '../session.ts';
import { WARNING } from '../transactions/watch-warnings.ts';
import { acceptedFindings, acceptFindings, openFindings, openProblems } from './accept-findings.ts';
import type { CheckContext } from './check-context.ts';
import { checkResolve } from './check-resolve.ts';
import { checkStatements, wordsIn } from './check-statements.ts';
import { checkStructureAndRights, checkTablesWork } from './check-tables-work.ts';
import { checkTenancy } from './check-tenancy.ts';
import { checkCoverage } from './coverage.ts';
import { acceptable, note, problem, warning } from './line.ts';
import type { Probe } from './probe.ts';
import { readOnce } from './read-once.ts';
import { checkStructure, leadNames, tableNames } from './structure.ts';
import { tryCounting } from './try-counting.ts';

const PROBES: Readonly<Record<SqlConnector, Probe>> = {
  postgres: postgresProbe,
  mysql: mysqlProbe,
  sqlite: sqliteProbe,
};

/** Throws TargetDown if the target cannot be reached at all. */
export async function checkSqlTarget(
  database: SqlDatabase,
  config: SqlTargetConfig,
  dialect: SqlDialect,
): Promise<CheckLine[]> {
  const lines = await collectLines(contextOf(database, config, dialect), {
    tables: checkTablesWork,
    async statements(context, work) {
      const tenancy = checkTenancy(config, [], new Map(), dialect);
      const named = await checkNamed(context, work);
      const explained = await checkStatements(context, work);
      return [...tenancy, ...named, ...explained, ...(await tryCounting(context, work, explained))];
    },
  });
  return acceptFindings(withoutRepeats(lines), config.accept);
}

/** Problems that stop all work on the target, found in the catalogue and the account's rights alone. */
export async function gateSqlTarget(
  database: SqlDatabase,
  config: SqlTargetConfig,
  dialect: SqlDialect,
): Promise<GateReport> {
  const { accept } = config;
  const lines = await collectLines(contextOf(database, config, dialect), {
    tables: async (context, work) => (await checkStructureAndRights(context, work)).lines,
    statements: async (context, work) => [
      ...(await checkNamed(context, work)),
      ...(await checkStatements(context, work)),
    ],
  });
  return {
    problems: openProblems(withoutRepeats(lines), accept),
    accepted: byName(acceptedFindings(lines, accept)),
    outside: openFindings(lines, accept, OUTSIDE),
  };
}

/** What the check and the gate do with each kind of work. */
interface WorkChecks {
  tables(context: CheckContext, work: TablesWork): Promise<readonly CheckLine[]>;
  statements(context: CheckContext, work: StatementsWork): Promise<readonly CheckLine[]>;
}

async function collectLines(context: CheckContext, checks: WorkChecks): Promise<CheckLine[]> {
  const { config } = context;
  const { work, resolve } = config;
  const lines = await checkServer(context);
  lines.push(...checkBesideOthers(config));
  if (work.kind === 'tables') lines.push(...(await checks.tables(context, work)));
  else lines.push(...(await checks.statements(context, work)));
  if (resolve !== null) lines.push(...(await checkResolve(context, resolve)));
  lines.push(...(await context.attempt('tables', () => checkCoverage(context))));
  lines.push(...acceptedWarnings(config));
  return lines;
}

/** They show only when rows are erased. */
function acceptedWarnings({ accept }: SqlTargetConfig): CheckLine[] {
  return Object.keys(accept)
    .filter((finding) => finding.startsWith(WARNING))
    .map((finding) => ({
      ...note('accept', `the WARNING ${finding.slice(WARNING.length)} holds no task`),
      finding,
    }));
}

/** Tables that hand-written statements name. */
async function checkNamed({ probe, read }: CheckContext, work: StatementsWork) {
  return probe.named(read, wordsIn(work));
}

/** Undefined if the statements are hand-written, or no table fits. */
export async function describeSqlTarget(
  database: SqlDatabase,
  config: SqlTargetConfig,
  dialect: SqlDialect,
): Promise<PlanDescription | undefined> {
  const { work } = config;
  if (work.kind !== 'tables') return undefined;
  const schema = await database.transaction('read', (session) =>
    dialect.readSchema(session, tableNames(work), leadNames(work)),
  );
  const { plan } = checkStructure(config, work, schema, dialect);
  return plan === undefined || plan.tables.length === 0 ? undefined : describePlan(plan);
}

function checkBesideOthers({ name, lostByOthers = [] }: SqlTargetConfig): CheckLine[] {
  return lostByOthers.map(({ table, parent, target, byStatements = false, isTenant = false }) => {
    if (isTenant) return losesTenants(table, parent, target, byStatements);
    const why = `its rows are found by ${parent} (via), and the target ${target} erases from ${parent} in this database: if it runs first, they are not found any more, and left.`;
    const instead = `by an identity: "resolve" the person's number in ${parent}, and "match" it in ${table} instead of "via"; or let ${target} run last: "after: [${name}]" there`;
    return byStatements
      ? acceptable(
          `erased-by:${target}`,
          table,
          `${why} Find its rows ${instead}. Or let the statements of ${target} erase from ${table} too`,
        )
      : problem(table, `${why} List ${table} in ${target}, or find its rows ${instead}`);
  });
}

function losesTenants(
  table: string,
  parent: string,
  target: string,
  byStatements: boolean,
): CheckLine {
  const why = `the tenant of its rows is that of ${parent}, and the target ${target} erases from ${parent} in this database: then nobody's requests find them any more. Give ${table} a tenant column, or name a table under "tenant" that stays`;
  return byStatements ? acceptable(`erased-by:${target}`, table, why) : problem(table, why);
}

async function checkServer({ probe, read, database }: CheckContext): Promise<CheckLine[]> {
  return [...(await probe.server(read)), ...(await checkWritable(database))];
}

function contextOf(
  database: SqlDatabase,
  config: SqlTargetConfig,
  dialect: SqlDialect,
): CheckContext {
  return {
    config,
    dialect,
    database,
    probe: PROBES[config.connector],
    read: (sql, values = [], kind = 'read') => readOnce(database, kind, sql, values),
    async attempt(subject, look) {
      try {
        return await look();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return [
          problem(subject, `could not be looked at: ${withoutRunCheck(error)} (${error.code})`),
        ];
      }
    },
  };
}

function isRefusal(error: unknown): error is SqlFailure | TargetDown {
  return error instanceof SqlFailure || error instanceof TargetDown;
}

// The same table may be checked for two reasons.
function withoutRepeats(lines: readonly CheckLine[]): CheckLine[] {
  const seen = new Map(lines.map((line) => [`${line.subject}\0${line.message}`, line]));
  return [...seen.values()];
}

/** An empty transaction of the kind that erases. */
async function checkWritable(database: SqlDatabase): Promise<CheckLine[]> {
  try {
    await database.transaction('write', (session) => session.query('SELECT 1'));
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error instanceof SqlFailure && error.kind === 'lock')
      return [warning('server', `is locked at this moment: ${error.message}; check again later`)];
    return [
      problem(
        'server',
        `refuses a transaction that writes: ${withoutRunCheck(error)} (${error.code}); give the address of the primary, or make the file writable`,
      ),
    ];
  }
}

// Problems of a plan that the catalogue alone shows. Used by the check, by the gate before a target is worked
// on, and in every erasing transaction.
import { type CheckLine, TargetDown } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig, TableConfig, TablesWork } from '../../../domain/target/target.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Schema, SqlDialect } from '../dialect.ts';
import { makePlan } from '../plan/make-plan.ts';
import { tablesWithEffects } from '../plan/other-effects.ts';
import type { Plan } from '../plan/plan.ts';
import { planChanges } from '../plan/plan-changes.ts';
import { withoutRunCheck } from '../run-check.ts';
import { checkHiddenChanges, checkHiddenColumns, checkHiddenEffects } from './check-hidden.ts';
import { checkIdentityColumns } from './check-identity-columns.ts';
import { checkKept } from './check-kept.ts';
import { checkLeads } from './check-leads.ts';
import { checkStorage } from './check-storage.ts';
import { checkTables } from './check-tables.ts';
import { checkTenancy } from './check-tenancy.ts';
import { checkTriggers } from './check-triggers.ts';
import { hasProblem, problem } from './line.ts';
import { NO_OTHER_NAMES, type OtherNames } from './missing.ts';
import { needsOf } from './needs.ts';
import { checkOverwrites } from './overwrites/check-overwrites.ts';
import { checkBrokenKeys } from './references/check-broken-keys.ts';
import { checkCascades } from './references/check-cascades.ts';
import { checkDetach } from './references/check-detach.ts';
import { checkForeignKeys } from './references/check-foreign-keys.ts';
import { checkMovedRows } from './references/check-moved-rows.ts';
import { checkParts } from './references/check-parts.ts';
import { checkPeriods } from './references/check-periods.ts';
import { checkReferring } from './references/check-referring.ts';
import { checkSelfKeys } from './references/check-self-keys.ts';
import { checkUnlikeKeys } from './references/check-unlike-keys.ts';

export interface Structure {
  readonly lines: CheckLine[];
  /** The plan of the tables that fit; undefined if none can be made. */
  readonly plan: Plan | undefined;
}

export function tableNames({ tables, cascades, detach = [] }: TablesWork): string[] {
  const names = [...tables, ...detach].map(({ table }) => table);
  return [...new Set([...names, ...cascades])];
}

/** Tables and views that are only read. */
export function leadNames({ leads = [], tables }: TablesWork): string[] {
  const named = tables.flatMap(({ whereBy = {} }) => Object.values(whereBy));
  return [...new Set([...leads, ...named].map(({ table }) => table))];
}

/** Tables that listed triggers may write to: their own triggers must be visible then. */
export function triggeredTables({ triggers, cascades }: TablesWork): readonly string[] {
  return triggers.length === 0 ? [] : cascades;
}

export function checkStructure(
  config: SqlTargetConfig,
  work: TablesWork,
  schema: Schema,
  dialect: SqlDialect,
  others: OtherNames = NO_OTHER_NAMES,
): Structure {
  const { catalogue } = schema;
  const tables = checkTables(config, dialect, work, catalogue, others);
  const cascades = checkCascades(work, catalogue, others);
  const detach = checkDetach(dialect, work, catalogue, others);
  const lines = [
    ...tables.lines,
    ...cascades.lines,
    ...detach.lines,
    ...checkStorage(dialect, reachedTables(work, catalogue), catalogue),
    ...checkIdentityColumns(dialect, work.tables, catalogue),
    ...checkTenancy(config, [...work.tables, ...(work.leads ?? [])], catalogue, dialect),
    ...checkLeads(config, dialect, work, catalogue, others),
    ...checkOverwrites(config, dialect, work.tables, catalogue),
    ...checkBrokenKeys(work, catalogue),
    ...checkForeignKeys(work, catalogue),
    ...checkUnlikeKeys(work, catalogue),
    ...checkPeriods(tableNames(work), catalogue),
    ...checkParts(work, catalogue),
    ...checkSelfKeys(dialect, work.tables, catalogue),
    ...checkKept(work, catalogue),
    ...checkReferring(work, catalogue),
  ];
  // Tables that fit are checked further, even if others do not fit.
  const fitting = tables.sound.filter((table) => fits(dialect, table, catalogue));
  const planned = planFor(
    config,
    { ...work, tables: fitting, cascades: cascades.sound, detach: detach.sound },
    schema,
    dialect,
  );
  const changes =
    planned instanceof TargetDown ? [] : planChanges(planned, !dialect.deletesCircles);
  lines.push(...checkTriggers(work, catalogue, changes, dialect));
  if (planned instanceof TargetDown) {
    if (!hasProblem(lines)) lines.push(problem('tables', withoutRunCheck(planned)));
    lines.push(...checkHiddenColumns(dialect, tableNames(work), catalogue));
    return { lines, plan: undefined };
  }
  const needs = needsOf(planned);
  const needed = needs.map(({ table }) => table);
  lines.push(
    ...checkMovedRows(planned),
    ...checkHiddenColumns(dialect, needed, catalogue),
    ...checkHiddenEffects(dialect, needs, triggeredTables(work), catalogue),
    ...checkHiddenChanges(tablesWithEffects(planned, catalogue), catalogue),
  );
  return { lines, plan: planned };
}

/** Includes tables that a foreign key reaches and the plan does not name. */
function reachedTables(work: TablesWork, catalogue: Catalogue): string[] {
  return [...new Set([...tableNames(work), ...catalogue.keys()])];
}

function fits(dialect: SqlDialect, table: TableConfig, catalogue: Catalogue): boolean {
  return !hasProblem(checkIdentityColumns(dialect, [table], catalogue));
}

function planFor(
  config: SqlTargetConfig,
  work: TablesWork,
  schema: Schema,
  dialect: SqlDialect,
): Plan | TargetDown {
  try {
    return makePlan(config, work, schema, dialect);
  } catch (error) {
    if (error instanceof TargetDown) return error;
    throw error;
  }
}

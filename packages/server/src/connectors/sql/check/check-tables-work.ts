// Checks a target with `tables`: whether the plan fits, whether the account has the rights, and whether rows
// can be found without reading whole tables.
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { TablesWork } from '../../../domain/target/target.ts';
import type { Plan, PlannedTable } from '../plan/plan.ts';
import type { CheckContext } from './check-context.ts';
import { checkIdentityTypes } from './check-identity-types.ts';
import { refusedTables } from './line.ts';
import { readOtherNames } from './missing.ts';
import { needsOf } from './needs.ts';
import { explainOverwrites } from './overwrites/explain-overwrites.ts';
import { explainDetached } from './references/explain-detached.ts';
import { checkJsonTexts } from './rows/check-json-texts.ts';
import { countBlanks } from './rows/count-blanks.ts';
import { countOutside } from './rows/count-outside.ts';
import { countTenantless } from './rows/count-tenantless.ts';
import { explainLookups, lookupsOf } from './rows/explain-lookups.ts';
import { nameUnknownTenants } from './rows/name-unknown-tenants.ts';
import { checkStructure, leadNames, tableNames, triggeredTables } from './structure.ts';

export interface StructureAndRights {
  readonly lines: CheckLine[];
  readonly plan: Plan | undefined;
}

/** Uses catalogue and rights alone: nothing is counted, nothing is searched. */
export async function checkStructureAndRights(
  context: CheckContext,
  work: TablesWork,
): Promise<StructureAndRights> {
  const { config, database, dialect, probe, read, attempt } = context;
  const names = tableNames(work);
  const schema = await database.transaction('read', (session) =>
    dialect.readSchema(session, names, leadNames(work)),
  );
  const { catalogue } = schema;
  const others = await readOtherNames(context, [...names, ...leadNames(work)], catalogue);
  const { lines, plan } = checkStructure(config, work, schema, dialect, others);
  const seen = names.filter((name) => catalogue.has(name));
  lines.push(...(await attempt('tables', () => probe.tables(read, seen))));
  const matched = work.tables.flatMap(({ table, match }) =>
    catalogue.has(table)
      ? match.filter(({ path }) => path === undefined).map(({ column }) => ({ table, column }))
      : [],
  );
  lines.push(...(await checkJsonTexts(context, matched, nameThePlace)));
  if (plan !== undefined)
    lines.push(
      ...(await attempt('account', () => probe.rights(read, needsOf(plan), triggeredTables(work)))),
      ...(await explainOverwrites(context, plan, catalogue, lines)),
      ...(await explainDetached(context, plan, catalogue)),
    );
  return { lines, plan };
}

const nameThePlace = (column: string) =>
  `name the place in it: { column: ${column}, path: "$.…" }, or match on another column`;

export async function checkTablesWork(
  context: CheckContext,
  work: TablesWork,
): Promise<CheckLine[]> {
  const { lines, plan } = await checkStructureAndRights(context, work);
  if (plan === undefined) return lines;
  const refused = refusedTables(lines);
  const lookups = lookupsOf(plan).filter(({ table }) => !refused.has(table));
  const isSound = ({ table }: PlannedTable) => !refused.has(table);
  const sound = { tables: plan.tables.filter(isSound), leads: plan.leads.filter(isSound) };
  return [
    ...lines,
    ...(await explainLookups(context, lookups)),
    ...(await countOutside(context, plan, refused)),
    ...checkIdentityTypes(context.config, plan),
    ...(await countBlanks(context, sound)),
    ...(await countTenantless(context, sound)),
    ...(await nameUnknownTenants(context, sound)),
  ];
}

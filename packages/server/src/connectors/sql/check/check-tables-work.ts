// A target that is declared by tables: first whether the plan fits, then what would come of it.
import { type CheckLine, TargetDown } from '../../../domain/connector.ts';
import type { TablesWork } from '../../../domain/target.ts';
import type { Schema } from '../dialect.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Plan } from '../plan/plan.ts';
import { checkCascades } from './check-cascades.ts';
import type { CheckContext } from './check-context.ts';
import { checkForeignKeys } from './check-foreign-keys.ts';
import { checkIdentityColumns } from './check-identity-columns.ts';
import { checkOverwrites } from './check-overwrites.ts';
import { checkTables } from './check-tables.ts';
import { checkTenancy } from './check-tenancy.ts';
import { checkTriggers } from './check-triggers.ts';
import { explainLookups, lookupsOf } from './explain-lookups.ts';
import { explainOverwrites } from './explain-overwrites.ts';
import { hasProblem, ownWords, problem } from './line.ts';
import { needsOf } from './needs.ts';

export async function checkTablesWork(
  context: CheckContext,
  work: TablesWork,
): Promise<CheckLine[]> {
  const { config, database, dialect, probe, read, attempt } = context;
  const names = [...new Set([...work.tables.map(({ table }) => table), ...work.cascades])];
  const schema = await database.transaction('read', (session) =>
    dialect.readSchema(session, names),
  );
  const { catalogue } = schema;
  const otherKinds = await probe.otherKinds(
    read,
    names.filter((name) => !catalogue.has(name)),
  );

  const tables = checkTables(config, work, catalogue, otherKinds);
  const cascades = checkCascades(work, catalogue, otherKinds);
  const lines = [
    ...tables.lines,
    ...cascades.lines,
    ...checkIdentityColumns(config.connector, work.tables, catalogue),
    ...checkTenancy(config, work.tables, catalogue, dialect),
    ...checkOverwrites(config, work.tables, catalogue),
    ...checkForeignKeys(work, catalogue),
    ...checkTriggers(work, catalogue),
    ...(await attempt('tables', () =>
      probe.tables(
        read,
        names.filter((name) => catalogue.has(name)),
      ),
    )),
  ];

  // What fits is checked further, although other tables do not.
  const fitting = tables.sound.filter(
    (table) => !hasProblem(checkIdentityColumns(config.connector, [table], catalogue)),
  );
  const planned = planFor(context, { ...work, tables: fitting, cascades: cascades.sound }, schema);
  if (planned instanceof TargetDown) {
    if (!hasProblem(lines)) lines.push(problem('tables', ownWords(planned)));
    return lines;
  }
  const rights = await attempt('account', () => probe.rights(read, needsOf(planned)));
  // Statements on tables with problems would be refused for reasons that have been told.
  const ill = new Set(
    [...lines, ...rights].flatMap(({ level, subject }) => (level === 'problem' ? subject : [])),
  );
  const lookups = lookupsOf(planned).filter(({ table }) => !ill.has(table));
  return [
    ...lines,
    ...rights,
    ...(await explainLookups(context, lookups)),
    ...(await explainOverwrites(context, planned, lines)),
  ];
}

function planFor(
  { config, dialect }: CheckContext,
  work: TablesWork,
  schema: Schema,
): Plan | TargetDown {
  try {
    return makePlan(config, work, schema, dialect);
  } catch (error) {
    if (error instanceof TargetDown) return error;
    throw error;
  }
}

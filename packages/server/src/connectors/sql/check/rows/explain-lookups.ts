// Has the database EXPLAIN the statements that search for rows, and reports those without an index.

import { Identity, ignoresCase } from '../../../../domain/request/identity.ts';
import type { CheckLine, Subject } from '../../../../domain/target/connector.ts';
import { isOfList } from '../../../../domain/target/json-path.ts';
import type { SqlTargetConfig } from '../../../../domain/target/target.ts';
import type { ColumnShape } from '../../catalogue.ts';
import { createIdentityMatcher, type MatchedTable } from '../../find/match-identities.ts';
import { whereSql } from '../../find/where-rows.ts';
import type { Plan, PlannedMatch, PlannedTable } from '../../plan/plan.ts';
import { whereColumn } from '../../plan/where-values.ts';
import type { SqlRow, SqlSession } from '../../session.ts';
import { runStatement } from '../../statement.ts';
import { writeJsonPath } from '../../write-json-path.ts';
import type { CheckContext } from '../check-context.ts';
import { warning } from '../line.ts';
import { sampleText } from '../overwrites/sample-value.ts';
import type { Lookup } from '../probe.ts';
import { writeTable } from '../write-name.ts';

interface ExplainedLookup extends Lookup {
  /** Sends its statements to the session, which explains and does not run them. */
  write(session: SqlSession, context: CheckContext): Promise<void>;
}

export function lookupsOf(plan: Plan): ExplainedLookup[] {
  // Those of a view cannot be told by its name.
  const known = [...plan.tables, ...plan.leads].filter(({ keySize }) => keySize > 0);
  const telling = [...plan.tables, ...plan.leads].flatMap(({ tenantBy }) => tenantBy);
  return [
    ...telling.flatMap(({ parent, parentColumns }) => {
      const above = known.find(({ table }) => table === parent);
      return above === undefined ? [] : lookupByParent({ ...above, where: [] }, parentColumns);
    }),
    ...plan.tables.flatMap((table) => [
      // No index serves the items of a list.
      ...table.matches
        .filter(({ path }) => !isOfList(path))
        .map((match) => lookupByIdentity(table, match)),
      ...table.vias.flatMap(({ columns }) => lookupByParent(table, columns)),
    ]),
    ...plan.references
      .filter(({ isFoundByVia }) => !isFoundByVia)
      .flatMap(({ table: { name, sqlName }, columns }) =>
        lookupByParent({ table: name, sqlName, where: [] }, columns),
      ),
  ];
}

export function lookupByIdentity(
  table: MatchedTable & { table: string },
  match: PlannedMatch,
): ExplainedLookup {
  return {
    table: table.table,
    columns: [match.column],
    isCaseIgnored: ignoresCase(match.type),
    tenant: table.tenant?.name ?? null,
    besides: table.where.map((one) => whereColumn(one).name),
    ...((match.path !== null || match.trim) && { place: match }),
    async write(session, { dialect, config, probe }) {
      const asked = { ...table, ...(!probe.asksWithTenant && { tenant: null }) };
      const { subject, tenancy } = sampleSubject(config, table.tenant, match);
      const matcher = createIdentityMatcher(session, dialect, { ...config, tenancy }, [subject]);
      for (const one of table.where.length === 0 ? [asked] : [{ ...asked, where: [] }, asked])
        await Array.fromAsync(matcher.find(one, match, [], ''));
    },
  };
}

// There is no sample of another type that every column would accept.
function lookupByParent(
  table: Pick<PlannedTable, 'table' | 'sqlName' | 'where'>,
  columns: readonly ColumnShape[],
): ExplainedLookup[] {
  if (columns.some(({ kind }) => kind === 'other')) return [];
  return [
    {
      table: table.table,
      columns,
      isCaseIgnored: false,
      tenant: null,
      besides: table.where.map((one) => whereColumn(one).name),
      async write(session, { dialect }) {
        const key = columns.map((column) => dialect.prefixedKey(column, sampleText(column)));
        // Once without `where` and once with it: an index may support either.
        for (const asked of table.where.length === 0 ? [table] : [{ ...table, where: [] }, table])
          await runStatement(session, dialect, (bind) => {
            const where = whereSql(dialect, asked, bind);
            const among = dialect.amongKeys(columns, [key], bind);
            return `SELECT 1 FROM ${table.sqlName} WHERE ${where}${among}`;
          });
      },
    },
  ];
}

export async function explainLookups(
  context: CheckContext,
  lookups: readonly ExplainedLookup[],
): Promise<CheckLine[]> {
  const lines: CheckLine[] = [];
  for (const lookup of lookups)
    lines.push(...(await context.attempt(lookup.table, () => explainLookup(context, lookup))));
  return lines;
}

async function explainLookup(context: CheckContext, lookup: ExplainedLookup): Promise<CheckLine[]> {
  const { database, probe, read } = context;
  const plan: SqlRow[] = [];
  await database.transaction('read', async (session) => {
    if (probe.preferIndexes !== null) await session.query(probe.preferIndexes);
    const explaining: SqlSession = {
      async query(sql, values) {
        plan.push(...(await session.query(`${probe.explain}${sql}`, values)).rows);
        return { rows: [], changes: 0 };
      },
    };
    await lookup.write(explaining, context);
  });
  if (await probe.usesIndex(read, lookup, plan)) return [];
  if (await hasFewRows(context, lookup.table)) return [];
  const { place } = lookup;
  const columns = [
    ...lookup.columns.map(({ name }) => name),
    ...(place === undefined || place.path === null ? [] : [writeJsonPath(place.path)]),
  ].join(place === undefined ? ', ' : ' ');
  return [
    warning(
      lookup.table,
      `no index serves looking for rows by ${columns}, so every request reads the whole table; add: ${probe.adviseIndex(lookup)}`,
    ),
  ];
}

const FEW_ROWS = 1000;

/** So few are read as fast without an index. An empty table says nothing: it may be one of a test database. */
async function hasFewRows({ dialect, read }: CheckContext, table: string): Promise<boolean> {
  const first = `SELECT 1 AS one FROM ${writeTable(dialect, table)} LIMIT ${FEW_ROWS}`;
  const [counted] = await read(`SELECT count(*) AS count FROM (${first}) AS first_rows`);
  const count = Number(counted?.count ?? 0);
  return count > 0 && count < FEW_ROWS;
}

function sampleSubject(config: SqlTargetConfig, tenant: ColumnShape | null, match: PlannedMatch) {
  const controllerId = 'check' as Subject['controllerId'];
  const values = { [controllerId]: tenant === null ? '' : sampleText(tenant) };
  const tenancy = config.tenancy.way === 'column' ? { ...config.tenancy, values } : config.tenancy;
  const subject: Subject = {
    taskNo: 1,
    controllerId,
    subjectRequestId: '00000000-0000-4000-8000-000000000000' as Subject['subjectRequestId'],
    identities: [new Identity(match.type, sampleText(match.column))],
  };
  return { subject, tenancy };
}

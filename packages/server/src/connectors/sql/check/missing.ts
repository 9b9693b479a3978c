// Tables and columns that a plan names and the database does not have.
import { nearestName } from '../../../domain/did-you-mean.ts';
import type { CheckLine } from '../../../domain/target/connector.ts';
import { isSameTable } from '../../../domain/target/same-table.ts';
import type { Catalogue, TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { toVia } from '../plan/foreign-references.ts';
import type { CheckContext } from './check-context.ts';
import { BY_HAND, problem } from './line.ts';

/** A table that the account may not see at all can be known only from foreign keys. */
export function existing(catalogue: Catalogue, table: string): TableShape | undefined {
  const shape = catalogue.get(table);
  return shape === undefined || shape.columns.size === 0 ? undefined : shape;
}

/**
 * Another name in the plan for the same table, such as `users` for `public.users`: a catalogue reads each
 * table once, so both have the identical columns object.
 */
export function otherNameOf(
  table: string,
  names: readonly string[],
  catalogue: Catalogue,
): string | undefined {
  const columns = catalogue.get(table)?.columns;
  if (columns === undefined) return undefined;
  return names.find((name) => name !== table && catalogue.get(name)?.columns === columns);
}

/** What the database has instead of tables that a plan names. */
export interface OtherNames {
  /** Names that are not tables, with what they are. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Tables that the plan does not name. */
  readonly tables: readonly string[];
}

export const NO_OTHER_NAMES: OtherNames = { kinds: new Map(), tables: [] };

export async function readOtherNames(
  { dialect, probe, read }: Pick<CheckContext, 'dialect' | 'probe' | 'read'>,
  names: readonly string[],
  catalogue: Catalogue,
): Promise<OtherNames> {
  const missing = names.filter((name) => existing(catalogue, name) === undefined);
  if (missing.length === 0) return NO_OTHER_NAMES;
  const tables = (await read(dialect.draftSql.tables)).map(({ name }) => String(name));
  const planned = (table: string) => names.some((name) => isSameTable(name, table));
  return {
    kinds: await probe.otherKinds(read, missing),
    tables: tables.filter((table) => !planned(table)),
  };
}

export function missingTable(table: string, { kinds, tables }: OtherNames): CheckLine {
  const kind = kinds.get(table);
  const bare = table.replaceAll(/["`[\]]/g, '');
  if (kind === undefined && bare !== table)
    return problem(
      table,
      `does not exist: quotes and brackets are no part of a name; write it as ${bare}`,
    );
  if (kind !== undefined)
    return problem(table, `is ${kind}, and only tables can be erased from; ${workaroundFor(kind)}`);
  const near = nearestTable(table, tables);
  const remedy =
    near === undefined
      ? 'correct the name (with its schema)'
      : `write it as ${near} if you mean that`;
  return problem(
    table,
    `does not exist, or the account has no rights on it; ${remedy}, or grant the rights`,
  );
}

/** In another schema, or spelt differently. */
function nearestTable(table: string, tables: readonly string[]): string | undefined {
  const bare = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const near = nearestName(bare(table), tables.map(bare));
  return tables.find((name) => bare(name) === near);
}

/** A virtual table would break if the tables behind it were changed directly. */
function workaroundFor(kind: string): string {
  return kind.includes('virtual') ? BY_HAND : 'name the tables behind it';
}

/** Suggests a name that is alike. */
export function missingColumn(
  { hidesColumns }: SqlDialect,
  shape: TableShape,
  column: string,
  use: string,
): CheckLine {
  const names = [...shape.columns.keys()];
  const near =
    names.find((name) => name.toLowerCase() === column.toLowerCase()) ?? nearestName(column, names);
  const remedy = near === undefined ? `correct ${use}` : `write it as "${near}" in ${use}`;
  const hidden = hidesColumns ? ', or the account has no rights on it' : '';
  return problem(shape.table, `has no column "${column}"${hidden}; ${remedy}`);
}

/** The target's tenant column, in a table that is matched. */
export function missingTenant(
  { hidesColumns }: SqlDialect,
  { table, columns }: TableShape,
  column: string,
  catalogue: Catalogue,
): CheckLine {
  const near = nearestName(column, [...columns.keys()]);
  const key = [...catalogue.values()]
    .flatMap(({ referencedBy }) => referencedBy)
    .find((one) => one.table === table && one.referenced !== table && one.columns.length > 0);
  const via = key && Object.entries(toVia(key).columns).map(([own, to]) => `${own}: ${to}`);
  const known = via ? `{ ${key.referenced}: { ${via.join(', ')} } }` : '…';
  const hidden = hidesColumns ? ', or the account has no rights on it' : '';
  return problem(
    table,
    `has no column "${column}"${hidden}, which says whose a row is; name its own column (tenant_column: ${near ?? '…'}), a table that knows it (tenant: ${known}), or, if each row is of all tenants, write tenancy: none and action: { retain: "…" }`,
  );
}

// A declared configuration as the text of unwrite.config.yaml.
import { stringify } from 'yaml';
import type { SqlConnector } from '../../src/domain/target/target.ts';
import {
  type Configuration,
  type DeclaredTable,
  EACH,
  type Lookup,
  type MatchedColumn,
  type Pair,
  type Via,
  type Where,
} from './generated-case.ts';

export interface Written {
  readonly name: string;
  readonly connector: SqlConnector;
  readonly address: string;
}

export function writeConfiguration(configuration: Configuration, target: Written): string {
  return stringify({ targets: { [target.name]: writeTarget(configuration, target) } });
}

export function writeTarget(
  configuration: Configuration,
  { connector, address }: Omit<Written, 'name'>,
): Record<string, unknown> {
  const { tenancy, tables, leads, cascades, detach, triggers, mode } = configuration;
  const { whenUnmatched, maxRowsPerDay, resolve } = configuration;
  return {
    connector,
    ...(connector === 'sqlite' ? { file: address } : { url: address }),
    ...(tenancy.way === 'column' && { tenant_column: tenancy.column, tenants: tenancy.values }),
    ...(tenancy.way === 'controller' && { controllers: [tenancy.controllerId] }),
    ...(tenancy.way === 'none' && { tenancy: 'none' }),
    ...(resolve !== null && { resolve: writeResolve(resolve) }),
    tables: [
      ...tables.map((one) => writeTable(configuration, one)),
      ...leads.map((one) => ({ ...writeLead(configuration, one), action: 'lead' })),
    ],
    ...(cascades.length > 0 && { cascades }),
    ...(detach.length > 0 && { detach }),
    ...(triggers.length > 0 && { triggers }),
    mode,
    ...(whenUnmatched !== 'hold' && { when_unmatched: whenUnmatched }),
    ...(maxRowsPerDay !== null && { max_rows_per_day: maxRowsPerDay }),
    lock_timeout: '1s',
  };
}

function writeResolve({ table, where, from, to }: Lookup): Record<string, unknown> {
  return {
    table,
    ...(Object.keys(where).length > 0 && { where: writeWhere(where) }),
    from: { [from.type]: from.column },
    to: { [to.type]: to.column },
  };
}

function writeTable(
  configuration: Configuration,
  declared: DeclaredTable,
): Record<string, unknown> {
  const { where, key, match, via, action, shared, whenUnmatched } = declared;
  return {
    ...writeLead(configuration, declared),
    ...(Object.keys(where).length > 0 && { where: writeWhere(where) }),
    ...(key !== null && { key }),
    ...(declared.isOfAllTenants && { tenancy: 'none' }),
    ...(Object.keys(match).length > 0 && { match: writeMatch(match) }),
    ...(via.length > 0 && { via: writeVia(configuration, via) }),
    ...(action !== 'delete' && { action: action === 'retain' ? { retain: 'the law' } : action }),
    ...(shared !== 'hold' && { shared }),
    ...(whenUnmatched !== 'hold' && { when_unmatched: whenUnmatched }),
  };
}

/** Whose its rows are. */
function writeLead(
  configuration: Configuration,
  { table, tenantColumn, tenantBy }: Configuration['leads'][number],
): Record<string, unknown> {
  return {
    table,
    ...(tenantColumn !== null && { tenant_column: tenantColumn }),
    ...(tenantBy.length > 0 && { tenant: writeVia(configuration, tenantBy) }),
  };
}

function writeWhere(where: DeclaredTable['where']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(where).map(([column, { values, isNot }]) => [
      column,
      isNot ? { not: oneOrAll(values) } : oneOrAll(values),
    ]),
  );
}

function writeMatch(match: DeclaredTable['match']): Record<string, unknown> {
  const entries = Object.entries(match).map(([type, columns]) => [
    type,
    oneOrAll(columns.map(writeMatched)),
  ]);
  return Object.fromEntries(entries);
}

function writeMatched({ column, path, trim }: MatchedColumn): unknown {
  if (path === null && !trim) return column;
  return { column, ...(path !== null && { path: writePath(path) }), ...(trim && { trim }) };
}

/** A number is a place in a list. */
export function writePath(path: readonly string[]): string {
  return path.reduce((text, key) => {
    if (key === EACH || /^\d+$/.test(key)) return `${text}[${key}]`;
    return /^\w+$/.test(key) ? `${text}.${key}` : `${text}["${key}"]`;
  }, '$');
}

function writeVia({ tables }: Configuration, via: DeclaredTable['via']): Record<string, unknown> {
  const nameOf = ({ parent, where }: Via) => {
    const isRepeated = tables.filter(({ table }) => table === parent).length > 1;
    return where !== undefined && isRepeated ? `${parent} (${nameWhere(where)})` : parent;
  };
  return Object.fromEntries(
    [...Map.groupBy(via, nameOf)].map(([name, references]) => [
      name,
      oneOrAll(references.map(({ pairs }) => columnsOf(pairs))),
    ]),
  );
}

/** As an entry is called by its `where`. */
function nameWhere(where: Where): string {
  return Object.entries(where)
    .map(
      ([column, { values, isNot }]) =>
        `${column}: ${isNot ? 'not ' : ''}${values.map(String).join(', ')}`,
    )
    .join('; ');
}

const oneOrAll = <T>(items: readonly T[]) => (items.length === 1 ? items[0] : items);

const columnsOf = (pairs: readonly Pair[]) =>
  Object.fromEntries(pairs.map(({ child, parent }) => [child, parent]));

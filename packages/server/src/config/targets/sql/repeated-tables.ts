// A table may be listed several times if no row can belong to two entries, or if each overwrites columns of its own. Each
// entry then has a name.
import { sameRows } from '../../../domain/target/beside.ts';
import {
  type TableConfig,
  type WhereConfig,
  type WhereValue,
  type WhereValues,
  whereValues,
} from '../../../domain/target/target.ts';
import type { Problems } from '../fields.ts';

/** Names the entries of tables that are listed several times. */
export function nameEntries(tables: readonly TableConfig[]): TableConfig[] {
  return tables.map((table) => {
    const others = tables.filter((other) => other !== table && other.table === table.table);
    if (others.length === 0) return table;
    const { where, action } = table;
    const isBeside = others.some((other) => sameRows(table) === sameRows(other));
    const told = [
      ...(isBeside && action.kind === 'overwrite' ? [Object.keys(action.columns).join(', ')] : []),
      ...(where === undefined ? [] : [written(where)]),
    ];
    return told.length === 0 ? table : { ...table, name: `${table.table} (${told.join('; ')})` };
  });
}

export function checkRepeated(
  tables: readonly TableConfig[],
  places: readonly string[],
  problems: Problems,
): void {
  tables.forEach((table, i) => {
    const before = tables.slice(0, i).entries();
    const others = [...before].filter(([, { table: name }]) => name !== '' && name === table.table);
    const overlapping = others.filter(([, other]) => mayOverlap(table.where, other.where));
    for (const [first, other] of overlapping) {
      const found = overlap(table, other, first);
      if (found === undefined) continue;
      problems.add(`${places[i]}.${found.field}`, found.message);
      return;
    }
    for (const [first, other] of others) {
      const unlike = unlikeBy(table, other);
      if (unlike !== undefined)
        problems.add(
          `${places[i]}.where.${unlike}`,
          `must name the same table and column of it ("in") as in tables[${first}], which is the same table`,
        );
      for (const field of ['key', 'tenantColumn', 'tenant', 'tenancy'] as const) {
        if (JSON.stringify(table[field]) === JSON.stringify(other[field])) continue;
        const name = field === 'tenantColumn' ? 'tenant_column' : field;
        problems.add(
          `${places[i]}.${name}`,
          `must be the same as in tables[${first}], which is the same table`,
        );
      }
    }
  });
}

/** A column that is compared through a reference in one, and otherwise in the other. */
function unlikeBy(a: TableConfig, b: TableConfig): string | undefined {
  const by = ({ whereBy = {} }: TableConfig, column: string) =>
    JSON.stringify(Object.hasOwn(whereBy, column) ? whereBy[column] : null);
  return Object.keys(a.where ?? {})
    .filter((column) => Object.hasOwn(b.where ?? {}, column))
    .find((column) => by(a, column) !== by(b, column));
}

/** Undefined if a row may belong to both. */
function overlap(
  table: TableConfig,
  other: TableConfig,
  first: number,
): { readonly field: string; readonly message: string } | undefined {
  const [own, theirs] = [table.action, other.action];
  if (
    own.kind !== 'overwrite' ||
    theirs.kind !== 'overwrite' ||
    sameRows(table) !== sameRows(other)
  )
    return {
      field: table.where === undefined ? 'table' : 'where',
      message: tellApart(table, other, first),
    };
  const columns = Object.keys(own.columns);
  const common = columns.find((column) => Object.hasOwn(theirs.columns, column));
  if (common !== undefined)
    return {
      field: `action.overwrite.${common}`,
      message: `is overwritten in tables[${first}] too, which may have the same row; let one of them do it, or ${TELL_APART}`,
    };
  const lost = [table, other].flatMap((one) => {
    const written = one === table ? theirs.columns : own.columns;
    return [...foundBy(one), ...Object.keys(one.where ?? {})].filter((column) =>
      Object.hasOwn(written, column),
    );
  });
  if (lost[0] === undefined) return undefined;
  return {
    field: 'action.overwrite',
    message: `and that of tables[${first}], the same table, may be about one row, and one of them overwrites "${lost[0]}", by which the other finds its rows; leave that column out, or let the other overwrite it`,
  };
}

function foundBy({ match, via }: TableConfig): string[] {
  return [
    ...match.map(({ column }) => column),
    ...via.flatMap(({ columns }) => Object.keys(columns)),
  ];
}

const TELL_APART =
  'give each a "where" that no row fits twice, such as where: { <column>: <value> }';

function tellApart(table: TableConfig, other: TableConfig, first: number): string {
  if (table.where === undefined || other.where === undefined)
    return `is in tables[${first}] already; keep one, or ${TELL_APART}; where both overwrite, each may overwrite other columns; where the action depends on how a row is found, list the table in a second target on the same database`;
  return `and that of tables[${first}], the same table, may fit one row; name a column in both whose values differ by more than case, accents or blanks`;
}

/** False if a column of both has different values in the two entries. */
function mayOverlap(a: WhereConfig = {}, b: WhereConfig = {}): boolean {
  return !Object.entries(a).some(([column, values]) => {
    if (!Object.hasOwn(b, column)) return false;
    return areApart(values, b[column] ?? []);
  });
}

function areApart(a: WhereValues, b: WhereValues): boolean {
  const [ours, theirs] = [a, b].map((values) => new Set(whereValues(values).map(loosely)));
  if (ours === undefined || theirs === undefined || ('not' in a && 'not' in b)) return false;
  // The values must differ exactly, because rows are compared exactly.
  if ('not' in b) return whereValues(a).every((value) => b.not.includes(value));
  if ('not' in a) return whereValues(b).every((value) => a.not.includes(value));
  return ![...ours].some((value) => theirs.has(value));
}

/** Equal for all values that some collation or conversion treats as equal. */
function loosely(value: WhereValue): string | null {
  if (value === null) return null;
  const text = String(value).trim();
  if (/^(?:true|t)$/i.test(text)) return '1';
  if (/^(?:false|f)$/i.test(text)) return '0';
  if (text !== '' && Number.isFinite(Number(text))) return String(Number(text));
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase();
}

function written(where: WhereConfig): string {
  return Object.entries(where)
    .map(([column, values]) => {
      const list = whereValues(values).map(writtenValue).join(', ');
      return `${column}: ${'not' in values ? 'not ' : ''}${list}`;
    })
    .join('; ');
}

/** Quoted if it could be read as something else. */
function writtenValue(value: WhereValue): string {
  if (typeof value !== 'string') return String(value);
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.:/\\ -]*$/u.test(value) && value !== 'null'
    ? value
    : JSON.stringify(value);
}

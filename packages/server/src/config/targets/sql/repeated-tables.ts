// A table may be listed several times if no row can belong to two entries. Each entry then has a name.
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
  const counts = new Map<string, number>();
  for (const { table } of tables) counts.set(table, (counts.get(table) ?? 0) + 1);
  return tables.map((table) =>
    table.where === undefined || counts.get(table.table) === 1
      ? table
      : { ...table, name: `${table.table} (${written(table.where)})` },
  );
}

export function checkRepeated(
  tables: readonly TableConfig[],
  places: readonly string[],
  problems: Problems,
): void {
  tables.forEach((table, i) => {
    const before = tables.slice(0, i).entries();
    const others = [...before].filter(([, { table: name }]) => name !== '' && name === table.table);
    const overlapping = others.find(([, other]) => mayOverlap(table.where, other.where));
    if (overlapping !== undefined) {
      const at = `${places[i]}${table.where === undefined ? '.table' : '.where'}`;
      problems.add(at, overlap(table, overlapping[1], overlapping[0]));
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

function overlap(table: TableConfig, other: TableConfig, first: number): string {
  if (table.where === undefined || other.where === undefined)
    return `is in tables[${first}] already; keep one, or give each a "where" that no row fits twice, such as where: { <column>: <value> }; where the action depends on how a row is found, list the table in a second target on the same database`;
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

// `where` of a table: which of its rows belong to an entry, by values of columns.
import { byName } from '../../../domain/by-name.ts';
import { isObject } from '../../../domain/is-object.ts';
import type {
  TableConfig,
  WhereByConfig,
  WhereConfig,
  WhereValue,
  WhereValues,
} from '../../../domain/target/target.ts';
import { BadValue, type PlainKind } from '../../setting.ts';
import { type Fields, readValue } from '../fields.ts';
import { name } from '../read-names.ts';

export const whereValue: PlainKind<WhereValue> = {
  schema: { type: ['string', 'number', 'boolean', 'null'] },
  write: String,
  read(raw) {
    if (raw === null || typeof raw === 'string' || typeof raw === 'boolean') return raw;
    if (typeof raw === 'number' && Number.isFinite(raw)) return raw;
    throw new BadValue(
      'must be a string, a number, true, false or null, a list of these, { not: … }, or { in: <table>, <its column>: … }',
    );
  },
};

/** By columns of the table alone. Undefined if all rows belong to the entry. */
export function readWhere(table: Fields): WhereConfig | undefined {
  if (!table.has('where')) return undefined;
  const where = table.below('where');
  const columns = Object.keys(where.values);
  if (columns.length === 0 && isObject(table.values.where))
    table.problem('where', 'must have { <column>: <value> }, or be left out');
  return byName(columns.map((column) => [column, readColumn(where, column)]));
}

/** Also by values of rows to which columns refer. */
export function readWhereBy(table: Fields): Pick<TableConfig, 'where' | 'whereBy'> {
  if (!isObject(table.values.where)) return plainWhere(table);
  const where = table.below('where');
  const referring = Object.keys(where.values).filter((column) => refers(where, column));
  if (referring.length === 0) return plainWhere(table);
  const whereBy: [string, WhereByConfig[string]][] = [];
  const values = Object.keys(where.values).map((column): [string, WhereValues] => {
    if (!referring.includes(column)) return [column, readColumn(where, column)];
    const given = where.below(column);
    const [named, ...others] = Object.keys(given.values).filter((key) => key !== 'in');
    if (named === undefined || others.length > 0) {
      where.problem(
        column,
        'must have { in: <table>, <its column>: <value> }, and one column of it',
      );
      return [column, []];
    }
    whereBy.push([column, { table: given.need('in', name, ''), column: named }]);
    return [column, readColumn(given, named)];
  });
  return { where: byName(values), whereBy: byName(whereBy) };
}

function plainWhere(table: Fields): Pick<TableConfig, 'where'> {
  const where = readWhere(table);
  return where === undefined ? {} : { where };
}

function refers(where: Fields, column: string): boolean {
  const given = where.values[column];
  return isObject(given) && Object.hasOwn(given, 'in');
}

function readColumn(where: Fields, column: string): WhereValues {
  const given = where.values[column];
  if (!isObject(given)) return readValues(where, column, given);
  const others = where.below(column);
  others.refuseOthersThan(['not']);
  return { not: readValues(others, 'not', others.values.not) };
}

function readValues(fields: Fields, name: string, given: unknown): WhereValue[] {
  const values = Array.isArray(given) ? given : [given];
  if (values.length === 0 || given === undefined)
    fields.problem(name, 'must have a value, or be left out');
  const place = `${fields.place}.${name}`;
  return values
    .filter((value) => value !== undefined)
    .map((value) => readValue(value, whereValue, null, place, fields.problems));
}

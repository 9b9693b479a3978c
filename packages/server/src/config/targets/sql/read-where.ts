// `where` of a table: which of its rows belong to an entry, by values of columns.
import { byName } from '../../../domain/by-name.ts';
import { isObject } from '../../../domain/is-object.ts';
import type { WhereConfig, WhereValue, WhereValues } from '../../../domain/target/target.ts';
import { BadValue, type PlainKind } from '../../setting.ts';
import { type Fields, readValue } from '../fields.ts';

export const whereValue: PlainKind<WhereValue> = {
  schema: { type: ['string', 'number', 'boolean', 'null'] },
  write: String,
  read(raw) {
    if (raw === null || typeof raw === 'string' || typeof raw === 'boolean') return raw;
    if (typeof raw === 'number' && Number.isFinite(raw)) return raw;
    throw new BadValue(
      'must be a string, a number, true, false or null, a list of these, or { not: … }',
    );
  },
};

/** Undefined if all rows belong to the entry. */
export function readWhere(table: Fields): WhereConfig | undefined {
  if (!table.has('where')) return undefined;
  const where = table.below('where');
  const columns = Object.keys(where.values);
  if (columns.length === 0 && isObject(table.values.where))
    table.problem('where', 'must have { <column>: <value> }, or be left out');
  return byName(
    columns.map((column): [string, WhereValues] => {
      const given = where.values[column];
      if (!isObject(given)) return [column, readValues(where, column, given)];
      const others = where.below(column);
      others.refuseOthersThan(['not']);
      return [column, { not: readValues(others, 'not', others.values.not) }];
    }),
  );
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

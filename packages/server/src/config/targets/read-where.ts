// `where` of a table: which of its rows an entry is about, by values of columns.
import { byName } from '../../domain/by-name.ts';
import type { WhereConfig, WhereValue } from '../../domain/target.ts';
import { BadValue, type PlainKind } from '../setting.ts';
import { type Fields, isObject, readValue } from './fields.ts';

export const whereValue: PlainKind<WhereValue> = {
  schema: { type: ['string', 'number', 'boolean', 'null'] },
  write: String,
  read(raw) {
    if (raw === null || typeof raw === 'string' || typeof raw === 'boolean') return raw;
    if (typeof raw === 'number' && Number.isFinite(raw)) return raw;
    throw new BadValue('must be a text, a number, true, false or null, or a list of these');
  },
};

/** Undefined where the entry is about every row. */
export function readWhere(table: Fields): WhereConfig | undefined {
  if (!table.has('where')) return undefined;
  const where = table.below('where');
  const columns = Object.keys(where.values);
  if (columns.length === 0 && isObject(table.values.where))
    table.problem('where', 'must have { <column>: <value> }, or be left out');
  return byName(
    columns.map((column) => {
      const given = where.values[column];
      const values = Array.isArray(given) ? given : [given];
      if (values.length === 0) where.problem(column, 'must have a value, or be left out');
      const place = `${where.place}.${column}`;
      return [
        column,
        values.map((value) => readValue(value, whereValue, null, place, where.problems)),
      ];
    }),
  );
}

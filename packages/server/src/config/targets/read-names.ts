// Texts in lists and maps: names of tables, columns and triggers.
import { text } from '../kinds.ts';
import { type Fields, readValue } from './fields.ts';

export const name = text();

/** A list of names, or one name alone. */
export function readNames(fields: Fields, field: string): readonly string[] {
  const place = `${fields.place}.${field}`;
  const names = fields
    .items(field)
    .map((item, i) => readValue(item, name, '', `${place}[${i}]`, fields.problems));
  if (new Set(names).size < names.length)
    fields.problem(field, 'has the same name twice; keep one');
  return names;
}

/** Names to names, such as child columns to parent columns. */
export function readNameMap(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.keys(fields.values).map((key) => [key, fields.need(key, name, '')]),
  );
}

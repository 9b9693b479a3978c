// `match` of a table: which columns hold which identities, and how.
import { IDENTITY_TYPES, type IdentityType } from '@unwrite/protocol';
import { isObject } from '../../../domain/is-object.ts';
import { type JsonPath, readJsonPath } from '../../../domain/target/json-path.ts';
import type { MatchConfig } from '../../../domain/target/target.ts';
import { text } from '../../kinds.ts';
import { type Fields, readFields, readValue } from '../fields.ts';
import { name } from '../read-names.ts';

export function readMatch(table: Fields): MatchConfig[] {
  const match = table.below('match');
  match.refuseOthersThan(IDENTITY_TYPES);
  if (table.has('match') && Object.keys(match.values).length === 0) {
    table.problem('match', `must have one of: ${IDENTITY_TYPES.join(', ')}`);
  }
  return IDENTITY_TYPES.filter((type) => type in match.values).flatMap((type) => {
    const items = match.items(type);
    if (items.length === 0) match.problem(type, 'must name a column, or be left out');
    const isList = Array.isArray(match.values[type]);
    const matches = items.map((item, i) =>
      readOne(type, item, `${match.place}.${type}${isList ? `[${i}]` : ''}`, match),
    );
    const places = matches.map(({ column, path }) => JSON.stringify([column, path]));
    if (new Set(places).size < places.length)
      match.problem(type, 'has the same column twice; keep one');
    return matches;
  });
}

function readOne(type: IdentityType, item: unknown, place: string, match: Fields): MatchConfig {
  if (!isObject(item)) return { type, column: readValue(item, name, '', place, match.problems) };
  const fields = readFields(item, place, match.problems);
  fields.refuseOthersThan(['column', 'path', 'trim']);
  const path = fields.has('path') ? readPath(fields) : undefined;
  if (fields.has('trim') && typeof fields.values.trim !== 'boolean')
    fields.problem('trim', 'must be true or false');
  return {
    type,
    column: fields.need('column', name, ''),
    ...(path !== undefined && { path }),
    ...(fields.values.trim === true && { trim: true }),
  };
}

function readPath(fields: Fields): JsonPath | undefined {
  const read = readJsonPath(fields.read('path', text(), ''));
  if ('path' in read) return read.path;
  fields.problem('path', read.problem);
  return undefined;
}

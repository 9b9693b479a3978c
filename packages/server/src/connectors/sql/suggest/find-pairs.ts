// A type and an id that together refer to one table or another: `notable_type` and `notable_id`.
import type { Catalogue, TableShape } from '../catalogue.ts';
import { wordsOf } from '../personal/name-words.ts';
import { parentCalled } from './parent-called.ts';

export interface PolymorphicPair {
  readonly table: string;
  readonly type: string;
  readonly id: string;
}

/** Names of roles, which rows of several tables can have. A product_type is a kind of product. */
const ROLES = new Set(
  `record target object resource source subject owner actor entity model item content parent related
  associated activity sender recipient receiver causer author holder reference ref linked origin
  context channel result user member creator assignee node document thing element`.split(/\s+/),
);

/** Not if the id is the row's own, or leads to one table by a foreign key or its name: `comment_type`. */
export function findPairs(shape: TableShape, catalogue: Catalogue): PolymorphicPair[] {
  const { table, columns, primaryKey } = shape;
  const keyed = [...catalogue.values()]
    .flatMap(({ referencedBy }) => referencedBy)
    .filter((key) => key.table === table)
    .flatMap((key) => key.columns);
  const isPlain = (id: string) =>
    (primaryKey.length === 1 && primaryKey.includes(id)) ||
    keyed.includes(id) ||
    parentCalled(wordsOf(id).slice(0, -1), shape, catalogue, true) !== undefined;
  return [...columns.keys()].flatMap((type) => {
    const start = /^(.*?)_?(?:content_)?type(?:_id)?$/i.exec(type)?.[1];
    if (start === undefined) return [];
    // Django: content_type_id and object_id.
    const isDjango = /content_type(?:_id)?$/i.test(type);
    const id = [...columns.keys()].find((name) =>
      isDjango
        ? /^object_id$/i.test(name)
        : isRole(start) && name.toLowerCase() === `${start}_id`.toLowerCase(),
    );
    return id === undefined || (!isDjango && isPlain(id)) ? [] : [{ table, type, id }];
  });
}

function isRole(start: string): boolean {
  const last = wordsOf(start).at(-1) ?? '';
  return ROLES.has(last) || /[ai]ble$/.test(last);
}

// Which columns refer to which tables: by foreign keys, and, where there are none, by their names.
import type { Catalogue, ForeignKey, TableShape } from '../catalogue.ts';
import { comparisonOf } from '../plan/compare-columns.ts';
import { signsOf } from './column-signs.ts';
import { beginsWith, endsWith, tableWords, wordsOf } from './name-words.ts';
import { isOrganisationTable, isPeopleTable } from './table-signs.ts';

export interface FoundReference {
  readonly table: string;
  readonly parent: string;
  /** Column to the parent's column. */
  readonly columns: Readonly<Record<string, string>>;
  /** Null where only the name says so. */
  readonly foreignKey: ForeignKey | null;
  /** `acted`: names who has to do with the row, and not whose it is: `approved_by`, a company's contact. */
  readonly sense: 'owned' | 'acted';
}

/** `notable_type` and `notable_id`: the type says which table the id is of. */
export interface PolymorphicPair {
  readonly table: string;
  readonly type: string;
  readonly id: string;
}

const ACTED = new Set(
  `assignee manager reviewer approver moderator handler supervisor responsible editor admin operator
  updater creator inviter owner`.split(/\s+/),
);
const OWNED = new Set('author sender recipient receiver buyer poster'.split(' '));

export function findReferences(catalogue: Catalogue): FoundReference[] {
  const declared = [...catalogue.values()].flatMap(({ referencedBy }) =>
    referencedBy.filter(({ table }) => catalogue.has(table)).map(ofForeignKey),
  );
  const keyed = new Set(
    declared.flatMap(({ table, columns }) => Object.keys(columns).map((it) => `${table}\0${it}`)),
  );
  const people = mainPeopleTable(catalogue, declared);
  const named = [...catalogue.values()].flatMap((shape) => {
    const pairs = findPairs(shape, catalogue).map(({ id }) => id);
    return [...shape.columns.keys()]
      .filter((column) => !keyed.has(`${shape.table}\0${column}`) && !pairs.includes(column))
      .flatMap((column) => ofName(shape, column, catalogue, people) ?? []);
  });
  return [...declared, ...named];
}

/** Not where the id is the row's own, or leads to one table by a foreign key or its name: `comment_type`. */
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
        : start !== '' && name.toLowerCase() === `${start}_id`.toLowerCase(),
    );
    return id === undefined || (!isDjango && isPlain(id)) ? [] : [{ table, type, id }];
  });
}

function ofForeignKey(foreignKey: ForeignKey): FoundReference {
  const { table, referenced, columns, referencedColumns } = foreignKey;
  const pairs = columns.map((name, i): [string, string] => [name, referencedColumns[i] ?? '']);
  return {
    table,
    parent: referenced,
    columns: Object.fromEntries(pairs),
    foreignKey,
    sense:
      columns.length === 1 && (isOrganisationTable(table) || isActed(wordsOf(columns[0] ?? '')))
        ? 'acted'
        : 'owned',
  };
}

function ofName(
  shape: TableShape,
  column: string,
  catalogue: Catalogue,
  people: TableShape | undefined,
): FoundReference | undefined {
  const words = wordsOf(column);
  const hasId = ['id', 'uuid'].includes(words.at(-1) ?? '');
  const base = hasId ? words.slice(0, -1) : words;
  const isRole = isActed(base) || OWNED.has(base.at(-1) ?? '');
  const parent =
    (hasId ? parentCalled(base, shape, catalogue) : undefined) ??
    parentWithKey(shape, column, catalogue) ??
    (isRole ? people : undefined);
  const [key, ...more] = parent?.primaryKey ?? [];
  if (parent === undefined || key === undefined || more.length > 0) return undefined;
  const [child, referred] = [shape.columns.get(column), parent.columns.get(key)];
  if (child === undefined || referred === undefined) return undefined;
  // A name of its own row, such as users.user_id.
  if (parent.table === shape.table) return undefined;
  const fits = hasId ? comparisonOf(referred, child) !== undefined : child.kind === referred.kind;
  if (!fits) return undefined;
  return {
    table: shape.table,
    parent: parent.table,
    columns: { [column]: key },
    foreignKey: null,
    sense: isActed(base) || isOrganisationTable(shape.table) ? 'acted' : 'owned',
  };
}

/** `comment_post_id`: a table comment_posts, otherwise posts; with the prefix that the child has. */
function parentCalled(
  base: readonly string[],
  child: TableShape,
  catalogue: Catalogue,
  /** By all of its words. */
  isWhole = false,
): TableShape | undefined {
  const own = tableWords(child.table);
  for (let from = 0; from < (isWhole ? 1 : base.length); from++) {
    const end = base.slice(from);
    const ending = [...catalogue.values()].filter(({ table }) => endsWith(tableWords(table), end));
    const beside = ending.filter(({ table }) =>
      beginsWith(own, tableWords(table).slice(0, -end.length)),
    );
    const people = ending.filter((shape) => signsOf(shape).emails.length > 0);
    const candidates = beside.length > 0 ? beside : people.length === 1 ? people : [];
    // topic_users.user_id is a user's; users.user_id is the row's own.
    const isOwn = own.join() === end.join();
    const others = isOwn ? [] : candidates.filter(({ table }) => table !== child.table);
    const found =
      others.find((shape) => signsOf(shape).emails.length > 0) ??
      others.find(({ table }) => tableWords(table).join() === end.join()) ??
      others[0] ??
      candidates[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `id_customer`, `uid`: the key of one other table has the very name. */
function parentWithKey(
  { table, primaryKey }: TableShape,
  column: string,
  catalogue: Catalogue,
): TableShape | undefined {
  if (column.toLowerCase() === 'id' || primaryKey.join() === column) return undefined;
  const [found, ...more] = [...catalogue.values()].filter(
    (shape) => shape.table !== table && shape.primaryKey.join() === column,
  );
  return more.length === 0 ? found : undefined;
}

function isActed(words: readonly string[]): boolean {
  const plain = words.at(-1) === 'id' ? words.slice(0, -1) : words;
  const last = plain.at(-1) ?? '';
  return (
    (last === 'by' && plain.length > 1) ||
    // Odoo's create_uid and write_uid.
    (last === 'uid' && plain.length > 1) ||
    plain[0] === 'assigned' ||
    ACTED.has(last)
  );
}

/** The one that `author` or `owner` would mean. An account may be a person's, or one of many people. */
function mainPeopleTable(
  catalogue: Catalogue,
  references: readonly FoundReference[],
): TableShape | undefined {
  const referred = ({ table }: TableShape) =>
    tableWords(table).at(-1) === 'account'
      ? -1
      : references.filter(({ parent }) => parent === table).length;
  return [...catalogue.values()]
    .filter((shape) => isPeopleTable(shape.table) && signsOf(shape).emails.length > 0)
    .toSorted((a, b) => referred(b) - referred(a))[0];
}

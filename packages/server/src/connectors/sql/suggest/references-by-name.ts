// Guesses which table a column refers to by its name alone. The draft marks such guesses.
import type { Catalogue, ColumnShape, TableShape } from '../catalogue.ts';
import { looksPersonal, signsOf } from '../personal/column-signs.ts';
import { tableWords } from '../personal/name-words.ts';
import { isPeopleTable } from '../personal/table-signs.ts';
import { comparisonOf } from '../plan/compare-columns.ts';
import { parentCalled } from './parent-called.ts';
import {
  isActingRole,
  isOwnedRole,
  isPeopleRole,
  type ReferenceWords,
  referenceWords,
} from './reference-words.ts';

/** Whether the database numbers the column itself: auto_increment, serial, identity. */
export type IsNumbered = (table: string, column: string) => boolean;

/** id_address_delivery refers to addresses; id_order_state does not refer to orders. */
const KINDS = new Set('delivery invoice billing shipping default main primary'.split(' '));

interface Known {
  readonly catalogue: Catalogue;
  /** The table that `author` or `owner` would mean. */
  readonly people: TableShape | undefined;
  readonly isNumbered: IsNumbered;
}

interface NamedParent {
  readonly parent: string;
  readonly key: string;
  readonly base: readonly string[];
}

export function parentByName(
  shape: TableShape,
  column: string,
  known: Known,
): NamedParent | undefined {
  // A number that the table assigns to its own rows does not refer to another table.
  if (known.isNumbered(shape.table, column)) return undefined;
  const words = referenceWords(column, known.catalogue);
  const parent = findParent(shape, column, words, known);
  const [key, ...more] = parent?.primaryKey ?? [];
  if (parent === undefined || key === undefined || more.length > 0) return undefined;
  // The row's own id, such as users.user_id.
  if (parent.table === shape.table) return undefined;
  // member_uuid refers to members.uuid, which need not be the key.
  if (/uuid$/i.test(column) && key !== 'uuid' && parent.columns.has('uuid')) return undefined;
  const [child, referred] = [shape.columns.get(column), parent.columns.get(key)];
  if (child === undefined || referred === undefined || !fits(child, referred, words.hasId))
    return undefined;
  return { parent: parent.table, key, base: words.base };
}

function findParent(
  shape: TableShape,
  column: string,
  words: ReferenceWords,
  { catalogue, people }: Known,
): TableShape | undefined {
  const { base, hasId } = words;
  const called = hasId ? calledBy(words, shape, catalogue) : undefined;
  if (called !== undefined || shape.primaryKey.join() === column) return called;
  const isRole = isActingRole(base) || isOwnedRole(base) || base.join() === 'uid';
  return (
    parentWithKey(shape, column, catalogue) ??
    (isRole ? people : undefined) ??
    // Directus' `user`
    (!hasId && isPeopleRole(base) ? parentCalled(base.slice(-1), shape, catalogue) : undefined)
  );
}

function calledBy(
  { base, isPrefixed }: ReferenceWords,
  shape: TableShape,
  catalogue: Catalogue,
): TableShape | undefined {
  if (isPrefixed !== true) return parentCalled(base, shape, catalogue);
  const plain = KINDS.has(base.at(-1) ?? '') ? base.slice(0, -1) : base;
  return parentCalled(base, shape, catalogue, true) ?? parentCalled(plain, shape, catalogue, true);
}

/** A text without "id" in its name may well be a name. */
function fits(child: ColumnShape, referred: ColumnShape, hasId: boolean): boolean {
  if (hasId) return comparisonOf(referred, child) !== undefined;
  if (/^(?:bool|tinyint\(1\))/i.test(child.type) || child.kind !== referred.kind) return false;
  return child.kind !== 'text' || child.maxLength === referred.maxLength;
}

/**
 * `id_customer`, `uid`: exactly one other table has a key with this name, and the key is named after that
 * table.
 */
function parentWithKey(
  { table }: TableShape,
  column: string,
  catalogue: Catalogue,
): TableShape | undefined {
  const [found, ...more] = [...catalogue.values()].filter(
    (shape) =>
      shape.table !== table &&
      shape.primaryKey.join() === column &&
      isCalledAfter(column, shape) &&
      !signsOf(shape).emails.includes(column),
  );
  return more.length === 0 ? found : undefined;
}

/** `idvisit` after log_visit, `uid` and `login` after users; not `entity_id`, `id`, `token`. */
function isCalledAfter(column: string, { table }: TableShape): boolean {
  const name = column.toLowerCase();
  const last = tableWords(table).at(-1) ?? '';
  if (isPeopleTable(table) && /^(?:login|user_?name)$/.test(name)) return true;
  return (last.length > 2 && name.includes(last)) || name === `${last.charAt(0)}id`;
}

/** The table that `author` or `owner` would mean. An account may belong to one person or to many. */
export function mainPeopleTable(
  catalogue: Catalogue,
  countReferences: (table: string) => number,
): TableShape | undefined {
  const rank = (shape: TableShape) =>
    signsOf(shape).emails.length === 0
      ? looksPersonal(signsOf(shape))
        ? -2
        : -3
      : tableWords(shape.table).at(-1) === 'account'
        ? -1
        : countReferences(shape.table);
  const wordsIn = ({ table }: TableShape) => tableWords(table).length;
  return [...catalogue.values()]
    .filter(
      (shape) =>
        shape.primaryKey.length === 1 &&
        isPeopleTable(shape.table) &&
        // Drupal's users have nothing except their number.
        (looksPersonal(signsOf(shape)) || tableWords(shape.table).join() === 'user'),
    )
    .toSorted((a, b) => rank(b) - rank(a) || wordsIn(a) - wordsIn(b))[0];
}

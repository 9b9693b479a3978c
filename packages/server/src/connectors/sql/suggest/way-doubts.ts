// Why it is not certain that the rows found in one way belong to the person.
import type { Catalogue } from '../catalogue.ts';
import { isNamedAfter, tableWords, wordsOf } from '../personal/name-words.ts';
import {
  isHistoryTable,
  isPeopleTable,
  isPeopleWord,
  isServedTable,
  isStaffTable,
} from '../personal/table-signs.ts';
import { type FoundReference, isPlainReference, namesIn, setsAnew } from './find-references.ts';
import { isTenantName } from './find-tenant-column.ts';
import type { TableWays } from './find-ways.ts';
import { isOwnedRole } from './reference-words.ts';

export interface WayDoubts {
  /** Without an answer, somebody else's rows might go. */
  readonly doubts: readonly string[];
  readonly notes: readonly string[];
}

interface Known {
  readonly catalogue: Catalogue;
  readonly references: readonly FoundReference[];
  readonly ways: ReadonlyMap<string, TableWays>;
}

export function doubtWay(way: TableWays, known: Known): WayDoubts {
  const ofMatch = doubtMatch(way, known);
  const ofVia = doubtVia(way, known);
  // What the application itself deletes with its parent goes with it here too.
  const isDeclared =
    way.via.length > 0 && way.via.every(({ foreignKey }) => foreignKey?.onDelete === 'cascade');
  // Others' rows that refer to it are noticed, but not what is part of it.
  const hasParts = [...known.ways.values()].some(({ via }) =>
    via.some(({ parent }) => parent === way.table),
  );
  return isDeclared
    ? {
        doubts: [...ofMatch, ...(hasParts ? doubtShared(way, known) : [])],
        notes: [...doubtHistory(way), ...doubtOthers(way, known)],
      }
    : { doubts: [...ofMatch, ...ofVia], notes: isGuess(way, known) ? [BY_NAME] : [] };
}

const BY_NAME = 'by its name; no foreign key says so';

/** In a database without foreign keys, a column that is named after a table is as certain as anything. */
function isGuess({ via, upward }: TableWays, { references }: Known): boolean {
  const guessed = [...via, ...upward].filter(({ foreignKey }) => foreignKey === null);
  return (
    guessed.length > 0 &&
    guessed.every(isPlainReference) &&
    references.every(({ foreignKey }) => foreignKey === null)
  );
}

/** Only people are invited, and forget passwords. */
const ABOUT_PEOPLE = /^(?:invite|invitation|password|signup)$/;

/** An address alone does not make a person: a depot has one too. */
function doubtMatch({ table, emails, signs, via }: TableWays, { ways }: Known): string[] {
  if (emails.length === 0) return [];
  const isAccount = tableWords(table).at(-1) === 'account';
  const isPerson =
    signs.ofPerson.length > 0 ||
    (isPeopleTable(table) && !isAccount) ||
    tableWords(table).slice(0, -1).some(isPeopleWord) ||
    tableWords(table).some((word) => ABOUT_PEOPLE.test(word)) ||
    via.some(({ parent }) => isPeopleTable(parent)) ||
    [...ways.values()].some(
      (way) => isPeopleTable(way.table) && way.upward.some((it) => it.table === table),
    );
  if (signs.senders.length === emails.length)
    return [
      `${emails.join(', ')} may be what the application sends from, and no person's: then leave the table out`,
    ];
  return isPerson
    ? []
    : [
        `is ${emails.join(', ')} a person's address, or that of a thing or a company? Then leave the table out`,
      ];
}

function doubtVia(way: TableWays, known: Known): string[] {
  const { via, upward } = way;
  const guessed = [...via, ...upward].filter(({ foreignKey }) => foreignKey === null);
  const people = via.filter(({ parent }) => isPeopleTable(parent));
  return [
    ...(guessed.length === 0 || isGuess(way, known) ? [] : [BY_NAME]),
    ...via.flatMap((it) => doubtKey(it, known)),
    ...people.flatMap(doubtRole),
    ...[...new Set(people.map(({ parent }) => parent))].flatMap((it) => doubtStaff(it, known)),
    ...doubtHistory(way),
    ...doubtOthers(way, known),
    ...doubtShared(way, known),
  ];
}

/**
 * The row can exist without it. But rows that the application itself deletes with the parent are deleted
 * with it here, too.
 */
function doubtKey(reference: FoundReference, { catalogue }: Known): string[] {
  const { table, parent, columns, foreignKey } = reference;
  if (foreignKey === null || foreignKey.onDelete === 'cascade') return [];
  if (setsAnew(reference))
    return [
      `its foreign key lets the row outlive the row of ${parent} (ON DELETE SET NULL): delete it, or overwrite its personal columns`,
    ];
  const isNullable = Object.keys(columns).some(
    (column) => catalogue.get(table)?.columns.get(column)?.isNullable === true,
  );
  return isNullable
    ? [
        `${namesIn(reference)} may be NULL: if the row is to stay without it, leave the entry out, and list the column under detach`,
      ]
    : [];
}

/** `merge_user_id`, `reporter_id`: not named after the parent. */
function doubtRole(reference: FoundReference): string[] {
  const { table, parent, foreignKey } = reference;
  const column = namesIn(reference);
  const words = wordsOf(column).filter((word) => word !== 'id');
  const isPlain =
    foreignKey === null ||
    isPlainReference(reference) ||
    isOwnedRole(words) ||
    (words.length === 1 && isPeopleWord(words[0] ?? '')) ||
    (words.join() === 'parent' && isNamedAfter(table, parent));
  return isPlain ? [] : [`does ${column} say whose a row is, or who had to do with it?`];
}

/** Staff by its name, or because there are customers with their own addresses besides the users. */
function doubtStaff(parent: string, { ways, references }: Known): string[] {
  const isServed = ({ table, emails }: TableWays) =>
    emails.length > 0 &&
    isServedTable(table) &&
    !references.some((it) => it.table === table && it.parent === parent);
  const isStaff =
    isStaffTable(parent) ||
    (tableWords(parent).at(-1) === 'user' && [...ways.values()].some(isServed));
  return isStaff
    ? [`${parent} may be staff: are these rows about them, or their work for others?`]
    : [];
}

function doubtHistory({ table, via }: TableWays): string[] {
  return isHistoryTable(table) && via.length > 0
    ? ['a history: a row may record what the person did to somebody else']
    : [];
}

/** A post with other people's comments, a project with other members. */
function doubtShared({ table, via }: TableWays, { ways }: Known): string[] {
  if (via.length === 0 || isPeopleTable(table)) return [];
  const others = [...ways.values()].filter(
    (way) =>
      way.leftOut.some(({ parent }) => parent === table) &&
      way.via.some(({ parent }) => isPeopleTable(parent)),
  );
  return others.length === 0
    ? []
    : [`rows of ${others.map((it) => it.table).join(', ')} refer to it, and may be other people's`];
}

/** Found through the row that it is part of, while another column names people. */
function doubtOthers({ table, via, emails }: TableWays, { references }: Known): string[] {
  if (via.length === 0 || emails.length > 0 || via.some(({ parent }) => isPeopleTable(parent)))
    return [];
  const naming = references.filter(
    (it) =>
      it.table === table &&
      it.parent !== table &&
      isPeopleTable(it.parent) &&
      !via.includes(it) &&
      !Object.keys(it.columns).some(isTenantName),
  );
  return naming.length === 0
    ? []
    : [
        `${[...new Set(naming.map(namesIn))].join(', ')} may name another person, to whom the row belongs`,
      ];
}

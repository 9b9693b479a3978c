// Finds which columns refer to which tables: by foreign keys or, without those, by their names.
import type { Catalogue, ForeignKey, TableShape } from '../catalogue.ts';
import { looksPersonal, signsOf } from '../personal/column-signs.ts';
import { endsWith, tableWords, wordsOf } from '../personal/name-words.ts';
import { isOrganisationTable } from '../personal/table-signs.ts';
import { findPairs } from './find-pairs.ts';
import { isActed } from './reference-words.ts';
import { type IsNumbered, mainPeopleTable, parentByName } from './references-by-name.ts';

export interface FoundReference {
  readonly table: string;
  readonly parent: string;
  /** Column to the parent's column. */
  readonly columns: Readonly<Record<string, string>>;
  /** Null if it is only a guess by name. */
  readonly foreignKey: ForeignKey | null;
  /**
   * `acted`: names a person who dealt with the row, not its owner: `approved_by`, a company's contact.
   * `outlives`: its foreign key says that the row stays without it.
   */
  readonly sense: 'owned' | 'acted' | 'outlives';
}

export function findReferences(catalogue: Catalogue, isNumbered: IsNumbered): FoundReference[] {
  const declared = [...catalogue.values()].flatMap(({ referencedBy }) =>
    referencedBy
      .filter(({ table }) => catalogue.has(table))
      .map((key) => ofForeignKey(key, catalogue)),
  );
  const keyed = new Set(
    declared.flatMap(({ table, columns }) => Object.keys(columns).map((it) => `${table}\0${it}`)),
  );
  const referred = Map.groupBy(declared, ({ parent }) => parent);
  const people = mainPeopleTable(catalogue, (table) => referred.get(table)?.length ?? 0);
  const named = [...catalogue.values()].flatMap((shape) => {
    const pairs = findPairs(shape, catalogue).map(({ id }) => id);
    return [...shape.columns.keys()]
      .filter((column) => !keyed.has(`${shape.table}\0${column}`) && !pairs.includes(column))
      .flatMap((column) => ofName(shape, column, { catalogue, people, isNumbered }));
  });
  return [...declared, ...named];
}

/** Whether the database keeps the row, without the reference, when the parent is deleted. */
export function setsAnew({ foreignKey }: FoundReference): boolean {
  return foreignKey?.onDelete === 'set_null' || foreignKey?.onDelete === 'set_default';
}

/** Named after the table that it refers to: user_id, but not merge_user_id. */
export function isPlainReference({ columns, parent }: FoundReference): boolean {
  const [column = '', ...more] = Object.keys(columns);
  if (more.length > 0 || columns[column] === column) return true;
  const words = wordsOf(column);
  const base = words[0] === 'id' ? words.slice(1) : words;
  const plain = ['id', 'uuid'].includes(base.at(-1) ?? '') ? base.slice(0, -1) : base;
  const called = tableWords(parent);
  return endsWith(called, plain) || `${called.at(-1)}id` === plain.join();
}

export function namesIn({ columns }: FoundReference): string {
  return Object.keys(columns).join(', ');
}

function ofForeignKey(foreignKey: ForeignKey, catalogue: Catalogue): FoundReference {
  const { table, referenced, columns, referencedColumns } = foreignKey;
  const pairs = columns.map((name, i): [string, string] => [name, referencedColumns[i] ?? '']);
  const reference = { table, parent: referenced, columns: Object.fromEntries(pairs), foreignKey };
  return { ...reference, sense: senseOf(reference, catalogue.get(table)) };
}

function senseOf(
  reference: Omit<FoundReference, 'sense'>,
  shape: TableShape | undefined,
): FoundReference['sense'] {
  const { table, columns, foreignKey } = reference;
  const [column = '', ...more] = Object.keys(columns);
  const words = wordsOf(column);
  // Rows that the application deletes with their owner belong to the owner.
  const goesWithOwner = words.includes('owner') && foreignKey?.onDelete === 'cascade';
  if (more.length === 0 && (isOrganisationTable(table) || (isActed(words) && !goesWithOwner)))
    return 'acted';
  const isAbout = shape !== undefined && looksPersonal(signsOf(shape));
  return setsAnew({ ...reference, sense: 'owned' }) && !isAbout ? 'outlives' : 'owned';
}

function ofName(
  shape: TableShape,
  column: string,
  known: {
    readonly catalogue: Catalogue;
    readonly people: TableShape | undefined;
    readonly isNumbered: IsNumbered;
  },
): FoundReference[] {
  const found = parentByName(shape, column, known);
  if (found === undefined) return [];
  const { parent, key, base } = found;
  return [
    {
      table: shape.table,
      parent,
      columns: { [column]: key },
      foreignKey: null,
      sense: isActed(base) || isOrganisationTable(shape.table) ? 'acted' : 'owned',
    },
  ];
}

// What names and foreign keys cannot tell about a table, in words.
import type { ColumnSigns } from '../personal/column-signs.ts';
import { tableWords } from '../personal/name-words.ts';
import type { PolymorphicPair } from './find-pairs.ts';
import type { Doubt } from './suggested-plan.ts';
import { writeMap, writeScalar } from './write-yaml.ts';

/** Columns whose contents differ from row to row. */
export function remarkContents({ json, opaque, namesAndValues }: ColumnSigns): string[] {
  const are = (names: readonly string[]) =>
    `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'}`;
  return [
    ...(json.length === 0 ? [] : [`${are(json)} JSON`]),
    ...(opaque.length === 0 ? [] : [`${opaque.join(', ')} may hold anything, also about people`]),
    ...(namesAndValues.length === 0
      ? []
      : [`${namesAndValues.join(' and ')} hold names and values`]),
  ];
}

/** A table that a pair may refer to. */
export interface PeopleTable {
  readonly table: string;
  /** Its key. */
  readonly id: string;
}

export function remarkPair(
  { table, type, id }: PolymorphicPair,
  people: readonly PeopleTable[],
): Doubt {
  return {
    text: `${type} says which table ${id} is of. For each type with rows of people, an entry of its own:`,
    example: people.flatMap((parent) => [
      `- table: ${writeScalar(table)}`,
      `  where: ${writeMap([[type, typeNameOf(type, parent.table)]])}`,
      `  via: ${writeMap([[parent.table, writeMap([[id, writeScalar(parent.id)]])]])}`,
    ]),
  };
}

/** Rails writes the name of the class; Django the number of a content type. */
function typeNameOf(type: string, parent: string): string {
  if (/_id$/i.test(type)) return '<its id in django_content_type>';
  const words = tableWords(parent).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return writeScalar(words.join(''));
}

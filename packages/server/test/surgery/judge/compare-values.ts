// When two values are one: for a database and its constraints, for a reference, and for an identity.
import type { IdentityType } from '@unwrite/protocol';
import {
  type ColumnType,
  type DatabaseName,
  EACH,
  isMysqlLike,
  type MatchedColumn,
  type Row,
} from '../generated-case.ts';

const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'decimal']);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isNumber = (type: ColumnType) => NUMBERS.has(type);

/** SQLite and MySQL have no such type: there it is a text. */
const isUuid = (database: DatabaseName, type: ColumnType) =>
  type === 'uuid' && (database === 'postgres' || database === 'mariadb');

/** Equal texts are equal values for the database, in a column of this type. */
export function foldValue(database: DatabaseName, type: ColumnType, value: string): string {
  if (isNumber(type)) return String(BigInt(value));
  if (isUuid(database, type)) return value.toLowerCase();
  if (database === 'mariadb') {
    // Its usual collations pad with blanks; utf8mb4_general_ci has neither capitals nor accents.
    const padded = value.replace(/ +$/, '');
    return type === 'folded' ? withoutAccents(padded).toLowerCase() : padded;
  }
  if (database === 'mysql') {
    // utf8mb4_bin pads with blanks; utf8mb4_0900_ai_ci does not, and has neither capitals nor accents.
    if (type === 'folded') return withoutAccents(value).toLowerCase();
    return type === 'text' ? value.replace(/ +$/, '') : value;
  }
  if (type !== 'folded') return value;
  return database === 'sqlite' ? foldAscii(value) : value.toLowerCase();
}

/**
 * `spelt`: written differently, and the database takes them for equal: held.
 * `unsure`: whether it does depends on how it is asked; either is right, as long as the row is not touched.
 */
export type Comparison = 'yes' | 'no' | 'spelt' | 'unsure';

export interface Side {
  readonly type: ColumnType;
  readonly value: string;
}

export function compareReference(database: DatabaseName, child: Side, parent: Side): Comparison {
  if (isUuid(database, child.type) || isUuid(database, parent.type)) {
    const areUuids = UUID.test(child.value) && UUID.test(parent.value);
    return areUuids && child.value.toLowerCase() === parent.value.toLowerCase() ? 'yes' : 'no';
  }
  if (isNumber(child.type) !== isNumber(parent.type)) {
    const [number, text] = isNumber(child.type) ? [child, parent] : [parent, child];
    return compareWithNumber(database, number.value, text.value);
  }
  if (isNumber(child.type)) return BigInt(child.value) === BigInt(parent.value) ? 'yes' : 'no';
  if (child.value === parent.value) return 'yes';
  const equalAs = (type: ColumnType) =>
    foldValue(database, type, child.value) === foldValue(database, type, parent.value);
  if (equalAs(child.type) && equalAs(parent.type)) return 'spelt';
  return equalAs(child.type) || equalAs(parent.type) ? 'unsure' : 'no';
}

function compareWithNumber(database: DatabaseName, number: string, text: string): Comparison {
  if (text === String(BigInt(number))) return 'yes';
  const whole = text.trim() === '' ? Number.NaN : Number(text);
  if (database === 'postgres') return whole === Number(number) ? 'unsure' : 'no';
  // MariaDB and MySQL read as much of a text as is a number, which may be nothing: 0. SQLite reads all of it.
  const read = isMysqlLike(database) ? Number.parseFloat(text) || 0 : whole;
  return read === Number(number) ? 'spelt' : 'no';
}

/** What a column holds, or what stands in its document: several only of the items of a list. */
export function valuesIn(row: Row, { column, path, trim }: MatchedColumn): string[] {
  const stored = row[column] ?? null;
  if (stored === null) return [];
  const values = path === null ? [stored] : valuesAt(JSON.parse(stored), path);
  return values
    .filter((value) => typeof value === 'string')
    .map((value) => (trim ? withoutBlanks(value) : value));
}

/** Also of a value that was looked up, which may have them. */
export function withoutBlanks(value: string): string {
  return value.replace(/^ +| +$/g, '');
}

/** All that the keys lead to, where `*` means each item of a list. */
export function valuesAt(document: unknown, path: readonly string[]): unknown[] {
  return path.reduce<unknown[]>(
    (values, key) =>
      values.flatMap((value) => {
        if (key === EACH) return Array.isArray(value) ? value : [];
        const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
        return isThere ? [(value as Record<string, unknown>)[key]] : [];
      }),
    [document],
  );
}

/** Some database might take them for equal, under some collation or as numbers. */
export function isNearly(a: string, b: string): boolean {
  const loosen = (text: string) =>
    withoutAccents(text.trim())
      .toLowerCase()
      .replace(/^0+(?=.)/, '')
      .replace(/\.0+$|x$/, '');
  return loosen(a) === loosen(b);
}

export function matchesIdentity(
  database: DatabaseName,
  column: Side,
  identity: { readonly type: IdentityType; readonly value: string },
): boolean {
  if (identity.type === 'email') return foldAscii(column.value) === foldAscii(identity.value);
  if (isUuid(database, column.type)) {
    return column.value.toLowerCase() === identity.value.toLowerCase();
  }
  return column.value === identity.value;
}

const foldAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

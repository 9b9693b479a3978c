// Values inside JSON, and values with blanks around them, as MySQL and MariaDB find candidates for them.
import type { JsonPath } from '../../domain/json-path.ts';
import { BLANKS } from '../sql/blanks.ts';
import type { ColumnShape } from '../sql/catalogue.ts';
import type { Bind } from '../sql/dialect.ts';
import { padToPowerOfTwo } from '../sql/pad-values.ts';
import type { PlannedMatch } from '../sql/plan/plan.ts';
import { writeJsonPath } from '../sql/write-json-path.ts';

type Quote = (name: string) => string;

const AROUND = `^[${BLANKS}]+|[${BLANKS}]+$`;
const utf8 = (value: string) => `CONVERT(${value} USING utf8mb4) COLLATE utf8mb4_bin`;

export function amongMatched(
  { type, column, path, trim }: Pick<PlannedMatch, 'type' | 'column' | 'path' | 'trim'>,
  texts: readonly string[],
  bind: Bind,
  quote: Quote,
): string {
  const name = quote(column.name);
  const value = utf8(path === null ? name : `JSON_UNQUOTE(${extract(column, path, bind, quote)})`);
  const trimmed = trim ? `REGEXP_REPLACE(${value}, ${bind(AROUND)}, '')` : value;
  const values = padToPowerOfTwo(texts).map(bind);
  return type === 'email'
    ? `LOWER(${trimmed}) COLLATE utf8mb4_bin IN (${values.map((one) => `LOWER(${one})`).join(', ')})`
    : `${trim ? `${trimmed} COLLATE utf8mb4_bin` : trimmed} IN (${values.join(', ')})`;
}

export function readJson(column: ColumnShape, path: JsonPath, bind: Bind, quote: Quote): string {
  const read = `CONCAT('=', CAST(${extract(column, path, bind, quote)} AS CHAR CHARACTER SET utf8mb4))`;
  if (isUnreadable(column, quote) === null) return read;
  const name = quote(column.name);
  return `CASE WHEN JSON_VALID(${name}) THEN ${read} ELSE CONCAT('!', CAST(${name} AS CHAR CHARACTER SET utf8mb4)) END`;
}

/** MySQL's own type holds nothing else; MariaDB's is a text, with a check that can be dropped. */
export function isUnreadable({ name, base }: ColumnShape, quote: Quote): string | null {
  return base === 'json' ? null : `NOT JSON_VALID(${quote(name)})`;
}

function extract(column: ColumnShape, path: JsonPath, bind: Bind, quote: Quote): string {
  const name = quote(column.name);
  const value = `JSON_EXTRACT(${name}, ${bind(writeJsonPath(path))})`;
  return isUnreadable(column, quote) === null
    ? value
    : `CASE WHEN JSON_VALID(${name}) THEN ${value} END`;
}

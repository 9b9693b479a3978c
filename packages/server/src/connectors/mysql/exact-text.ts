// The key of a row as a text that identifies exactly this row; as bytes, if the text would be sent back as
// other bytes.
import type { ColumnShape } from '../sql/catalogue.ts';
import type { Bind } from '../sql/dialect.ts';

/** Prefix of a key that is written as bytes; a text that starts with it is written as bytes too. */
const MARK = '\u0001x';
const MARK_SQL = `_utf8mb4 x'${Buffer.from(MARK).toString('hex')}'`;
const BYTES = new RegExp(`^${MARK}([a-z0-9]+):([0-9A-F]*)$`);

/** `name`: quoted name of a column with an encoding; `text`: the expression that reads it. */
export function readExactly(name: string, text: string, set: string): string {
  const back = `CONVERT(CONVERT(${name} USING utf8mb4) USING ${set})`;
  const isExact = `CAST(${back} AS BINARY) = CAST(${name} AS BINARY) AND LEFT(${text}, ${MARK.length}) <> ${MARK_SQL}`;
  return `CASE WHEN ${isExact} THEN ${text} ELSE CONCAT(${MARK_SQL}, '${set}:', HEX(${name})) END`;
}

/** Undefined if the key has no bytes in the column's character set. */
export function boundBytes(
  { encoding, collation }: ColumnShape,
  key: string | null,
  bind: Bind,
): string | undefined {
  const [, set, bytes] = BYTES.exec(key ?? '') ?? [];
  if (bytes === undefined || set !== encoding?.name) return undefined;
  return `CONVERT(UNHEX(${bind(bytes)}) USING ${set}) COLLATE ${collation}`;
}

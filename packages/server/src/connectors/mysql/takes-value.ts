// Whether a column of MySQL or MariaDB accepts a value. An UPDATE converts values only if it finds rows, so the
// server is asked for a conversion, or the answer is known from the type.
import type { ColumnShape } from '../sql/catalogue.ts';
import type { Read } from '../sql/check/probe.ts';
import type { SqlValue } from '../sql/session.ts';
import { textOf } from './parameter.ts';

const GIVEN = textOf('?');

/** NULL means that the value cannot be converted. */
const CONVERSIONS: Readonly<Record<string, string>> = {
  date: `CAST(${GIVEN} AS DATE)`,
  datetime: `CAST(${GIVEN} AS DATETIME(6))`,
  timestamp: `CAST(${GIVEN} AS DATETIME(6))`,
  time: `CAST(${GIVEN} AS TIME(6))`,
  inet4: `CAST(${GIVEN} AS INET4)`,
  inet6: `CAST(${GIVEN} AS INET6)`,
};
/**
 * The range of timestamps begins a second after 1970 and ends earlier than that of dates. 0 stands for a time out of range;
 * MySQL's function goes further than its type.
 */
const IN_RANGE: Readonly<Record<string, string>> = {
  timestamp: `CASE WHEN VERSION() LIKE '%MariaDB%' OR given < '2038-01-19 03:14:08' THEN NULLIF(UNIX_TIMESTAMP(given), 0) END`,
};
const BLOBS: Readonly<Record<string, number>> = { tinyblob: 255, blob: 65_535 };

export async function takesValue(
  read: Read,
  { base = '', type }: ColumnShape,
  value: SqlValue,
): Promise<boolean> {
  if (value === null) return true;
  const length = Number(/\((\d+)\)/.exec(type)?.[1] ?? 1);
  const conversion = CONVERSIONS[base];
  if (conversion !== undefined) {
    const taken = IN_RANGE[base] ?? 'given';
    const [row] = await read(
      `SELECT ${taken} IS NULL AS refused FROM (SELECT ${conversion} AS given) AS it`,
      [value],
    );
    return Number(row?.refused) === 0;
  }
  switch (base) {
    case 'year':
      return isYear(Number(value));
    case 'bit':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** length;
    case 'binary':
    case 'varbinary':
      return Buffer.byteLength(String(value)) <= length;
    default:
      return Buffer.byteLength(String(value)) <= (BLOBS[base] ?? Number.POSITIVE_INFINITY);
  }
}

/** Two digits mean years around 2000. */
function isYear(value: number): boolean {
  return Number.isInteger(value) && ((value >= 0 && value < 100) || (value > 1900 && value < 2156));
}

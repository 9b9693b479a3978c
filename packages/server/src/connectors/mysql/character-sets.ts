// Character sets of MySQL and MariaDB. Values are exchanged as Unicode, and in some character sets two codes
// map to the same character: what is sent back is then the other code. The server itself is asked, because its
// tables differ from other implementations.
import type { ColumnShape } from '../sql/catalogue.ts';
import type { Read } from '../sql/check/probe.ts';
import { SqlFailure, type SqlSession } from '../sql/session.ts';
import { inCharacterSet } from './parameter.ts';

/** Character sets whose codes are those of Unicode. */
const UNICODE = /^(?:utf8|utf8mb3|utf8mb4|ucs2|utf16|utf16le|utf32|ascii)$/;
const NAME = /^[a-z0-9]+$/;

const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => hex(byte)).join('');
/** A character that the character set lacks becomes a question mark. */
const UNKNOWN = hex(0x3f);

/** The character sets in which two codes may be the same character. All multi-byte sets count as such. */
export async function readAmbiguousSets(
  session: SqlSession,
  names: readonly string[],
): Promise<Set<string>> {
  const ambiguous = new Set<string>();
  for (const name of names)
    if (!UNICODE.test(name) && !(await isOneToOne(session, name))) ambiguous.add(name);
  return ambiguous;
}

async function isOneToOne(session: SqlSession, name: string): Promise<boolean> {
  if (!NAME.test(name)) return false;
  const there = `CONVERT(CONVERT(UNHEX('${ALL_BYTES}') USING ${name}) USING utf8mb4)`;
  try {
    const { rows } = await session.query(`SELECT HEX(CONVERT(${there} USING ${name})) AS bytes`);
    const bytes = String(rows[0]?.bytes);
    return (
      bytes.length === ALL_BYTES.length &&
      Array.from({ length: 256 }, (_, byte) => bytes.slice(2 * byte, 2 * byte + 2)).every(
        (back, byte) => back === hex(byte) || back === UNKNOWN,
      )
    );
  } catch (error) {
    if (error instanceof SqlFailure && error.kind === 'other') return false;
    throw error;
  }
}

/** Converted there and back. In strict mode the server would refuse such a text. */
export async function lacksCharacter(
  read: Read,
  { encoding }: ColumnShape,
  text: string,
): Promise<boolean> {
  if (encoding === undefined || !NAME.test(encoding.name)) return false;
  const back = `CONVERT(${inCharacterSet('?', encoding.name)} USING utf8mb4)`;
  const [row] = await read(`SELECT ${back} = ? COLLATE utf8mb4_bin AS isHeld`, [text, text]);
  return Number(row?.isHeld) !== 1;
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

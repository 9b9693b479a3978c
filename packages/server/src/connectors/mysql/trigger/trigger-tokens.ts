// Splits the text of a trigger into words, names and signs, as the server does under the trigger's own SQL
// mode. If any part is not clearly one of these, the trigger is not read further.

/** The reason why the text of a trigger cannot be understood. */
export class NotUnderstood extends Error {
  override name = 'NotUnderstood';
}

export type Token =
  /** Without quotes; `upper` is the text in capitals, to compare with keywords. */
  | { readonly kind: 'word'; readonly text: string; readonly upper: string; readonly end: number }
  | { readonly kind: 'name'; readonly text: string; readonly end: number }
  | { readonly kind: 'literal'; readonly end: number }
  | { readonly kind: 'sign'; readonly text: string; readonly start: number; readonly end: number };

/** Modes that do not change how a text is split or which statements there are. */
const HARMLESS_MODES = new Set([
  'STRICT_TRANS_TABLES',
  'STRICT_ALL_TABLES',
  'TRADITIONAL',
  'NO_ZERO_IN_DATE',
  'NO_ZERO_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_AUTO_CREATE_USER',
  'NO_ENGINE_SUBSTITUTION',
  'ONLY_FULL_GROUP_BY',
  'NO_AUTO_VALUE_ON_ZERO',
  'NO_UNSIGNED_SUBTRACTION',
  'REAL_AS_FLOAT',
  'HIGH_NOT_PRECEDENCE',
  'PAD_CHAR_TO_FULL_LENGTH',
  'ALLOW_INVALID_DATES',
  'NO_DIR_IN_CREATE',
  'TIME_ROUND_FRACTIONAL',
  'TIME_TRUNCATE_FRACTIONAL',
  'SIMULTANEOUS_ASSIGNMENT',
  // Both meanings of || are operators, and a name with a blank before its bracket is not read as a function.
  'PIPES_AS_CONCAT',
  'IGNORE_SPACE',
  'ANSI',
  'ANSI_QUOTES',
  'NO_BACKSLASH_ESCAPES',
]);
/** In other character sets a backslash or a quote may be half of a character. */
const CHARACTER_SETS = new Set(['utf8mb4', 'utf8mb3', 'utf8', 'latin1', 'ascii']);

export interface TriggerSource {
  readonly text: string;
  /** The mode of the trigger, not of the session. */
  readonly sqlMode: string;
  /** The character set of the client that created it. */
  readonly characterSet: string;
}

export function tokensOf({ text, sqlMode, characterSet }: TriggerSource): Token[] {
  const modes = sqlMode.split(',').filter((mode) => mode !== '');
  const other = modes.find((mode) => !HARMLESS_MODES.has(mode));
  if (other !== undefined)
    throw new NotUnderstood(`it was created in the SQL mode ${other}, which is not supported`);
  if (!CHARACTER_SETS.has(characterSet))
    throw new NotUnderstood(
      `it was created by a client with the character set ${characterSet}, which is not supported`,
    );
  return split(text, modes.includes('ANSI_QUOTES'), modes.includes('NO_BACKSLASH_ESCAPES'));
}

const BLANK = /[ \t\n\v\f\r]+/y;
/**
 * A comment of two dashes needs a blank after them. A comment that the server executes or obeys does not count
 * as one.
 */
const COMMENT = /\/\*(?![!+]|M!)[\s\S]*?\*\/|(?:--(?=[ \t\n\v\f\r]|$)|#)[^\n]*/y;
const SINGLE = /'(?:[^'\\]|\\[\s\S]|'')*'/y;
const DOUBLE = /"(?:[^"\\]|\\[\s\S]|"")*"/y;
const SINGLE_RAW = /'(?:[^']|'')*'/y;
const DOUBLE_RAW = /"(?:[^"]|"")*"/y;
const QUOTED = /`(?:[^`]|``)*`/y;
const NUMBER = /(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_$.])/uy;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const SIGN = /<=>|:=|<=|>=|<>|!=|<<|>>|\|\||&&|[-+*/%=<>!~&|^().,;@]/y;

function split(text: string, hasAnsiQuotes: boolean, isRaw: boolean): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < text.length) {
    const start = at;
    if (take(BLANK) !== undefined || take(COMMENT) !== undefined) continue;
    const quoted = take(QUOTED) ?? (hasAnsiQuotes ? take(DOUBLE_RAW) : undefined);
    if (quoted !== undefined) {
      tokens.push({ kind: 'name', text: unquoted(quoted), end: at });
      continue;
    }
    if (
      take(isRaw ? SINGLE_RAW : SINGLE) !== undefined ||
      take(isRaw ? DOUBLE_RAW : DOUBLE) !== undefined ||
      take(NUMBER) !== undefined
    ) {
      tokens.push({ kind: 'literal', end: at });
      continue;
    }
    const word = take(WORD);
    if (word !== undefined) {
      tokens.push({ kind: 'word', text: word, upper: inCapitals(word), end: at });
      continue;
    }
    const sign = take(SIGN);
    if (sign === undefined || text.startsWith('/*', start)) throw unknownSign(text, start);
    tokens.push({ kind: 'sign', text: sign, start, end: at });
  }
  return tokens;
}

function unquoted(text: string): string {
  const quote = text.charAt(0);
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Only ASCII letters: JavaScript would also turn a long s (ſ) into S. */
function inCapitals(word: string): string {
  return word.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function unknownSign(text: string, at: number): NotUnderstood {
  if (text.startsWith('/*', at))
    return new NotUnderstood('it has a comment that the server executes');
  const code = text.codePointAt(at) ?? 0;
  const written = code > 0x20 && code < 0x7f ? ` "${String.fromCodePoint(code)}"` : '';
  return new NotUnderstood(`it has a character${written} that is not supported`);
}

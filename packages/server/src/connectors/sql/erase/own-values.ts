// Recognises values that we wrote by a keyed check inside them. A person cannot make one, so a value that
// merely looks like ours never counts as erased.
import { createHash, randomBytes } from 'node:crypto';
import { RANDOM } from '../../../domain/target/target.ts';

/** Digits and lower-case letters: they survive collations and triggers that fold case, and fit emails. */
const BASE = 36n;
export const HASH_START = 'uw1:';
/** 82 bits of the hash, 41 of the checksum. */
const HASH_DIGITS = 16;
const HASH_CHECK = 8;
/** 129 random bits, and 36 of the checksum. */
const RANDOM_DIGITS = 25;
const RANDOM_CHECK = 7;

export const HASH_LENGTH = HASH_START.length + HASH_DIGITS + HASH_CHECK;
export const RANDOM_LENGTH = RANDOM_DIGITS + RANDOM_CHECK;

export interface OwnValues {
  /** `row`: given for a column that must be unique, so that the same value in two rows gives two hashes. */
  hashOf(value: string, row: readonly (string | null)[]): string;
  isHash(text: string): boolean;
  /** `text`: contains {random}. */
  uniqueOf(text: string): string;
  /** Whether it was made from this text. */
  isUnique(text: string, value: string): boolean;
  /** Values that the database stored differently from what was sent, as seen in the transaction. */
  readonly stored: StoredForms;
}

/** `keyed`: deterministic, and unpredictable without the key. */
export function createOwnValues(keyed: (text: string) => string): OwnValues {
  const digits = (purpose: string, text: string, count: number) =>
    toDigits(
      createHash('sha256')
        .update(keyed(`${purpose}\0${text}`))
        .digest(),
      count,
    );
  const withCheck = (purpose: string, text: string, check: number) =>
    text + digits(`${purpose} check`, text, check);
  const hasCheck = (purpose: string, text: string, check: number) =>
    withCheck(purpose, text.slice(0, -check), check) === text;
  return {
    hashOf(value, row) {
      const text = row.length === 0 ? value : JSON.stringify([value, ...row]);
      const purpose = row.length === 0 ? 'hash' : 'hash of a row';
      return HASH_START + withCheck('hash', digits(purpose, text, HASH_DIGITS), HASH_CHECK);
    },
    isHash(text) {
      const own = text.trim().toLowerCase();
      return (
        own.length === HASH_LENGTH &&
        own.startsWith(HASH_START) &&
        hasCheck('hash', own.slice(HASH_START.length), HASH_CHECK)
      );
    },
    uniqueOf(text) {
      const random = toDigits(randomBytes(32), RANDOM_DIGITS);
      return text.replace(RANDOM, () => withCheck('random', random, RANDOM_CHECK));
    },
    isUnique(text, value) {
      const [start = '', end = ''] = text.trim().toLowerCase().split(RANDOM);
      const own = value.trim().toLowerCase();
      return (
        own.length === start.length + RANDOM_LENGTH + end.length &&
        own.startsWith(start) &&
        own.endsWith(end) &&
        hasCheck('random', own.slice(start.length, start.length + RANDOM_LENGTH), RANDOM_CHECK)
      );
    },
    stored: createStoredForms(),
  };
}

function toDigits(bytes: Uint8Array, count: number): string {
  const number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`) % BASE ** BigInt(count);
  return number.toString(Number(BASE)).padStart(count, '0');
}

export interface StoredForms {
  add(place: StoredPlace, text: string | null): void;
  has(place: StoredPlace, text: string | null): boolean;
  /** Whether there are any for the table. */
  anyOf(table: string): boolean;
}

export interface StoredPlace {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** There are rarely many; if there are, the oldest are dropped. */
const MAX_STORED = 100_000;

function createStoredForms(): StoredForms {
  const texts = new Map<string, string>();
  const tables = new Set<string>();
  const nameOf = ({ table, row, column }: StoredPlace) => JSON.stringify([table, row, column]);
  // Digests, not the texts themselves, which may contain what a trigger has kept.
  const short = (text: string | null) =>
    createHash('sha256').update(JSON.stringify(text)).digest('base64');
  return {
    add(place, text) {
      const [oldest] = texts.keys();
      if (texts.size >= MAX_STORED && oldest !== undefined) texts.delete(oldest);
      texts.set(nameOf(place), short(text));
      tables.add(place.table);
    },
    has: (place, text) => texts.get(nameOf(place)) === short(text),
    anyOf: (table) => tables.has(table),
  };
}

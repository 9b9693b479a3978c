// What the name of a column suggests about the people in its table. Names are only hints.
import type { ColumnShape, TableShape } from '../catalogue.ts';
import { tableWords, wordsOf } from './name-words.ts';
import { isPeopleTable } from './table-signs.ts';

const set = (words: string) => new Set(words.split(/\s+/));

/** One of these words is enough to say that a table is about people. */
const STRONG = set(`phone mobile telephone cellphone phonenumber msisdn firstname lastname surname
  forename fullname birthday birthdate dob iban ssn passport gender ip ipaddress lastip
  userip clientip remoteaddr useragent`);
/** Two of these are needed: a warehouse has a street too. */
const WEAK = set(`address address1 address2 street zip zipcode postcode postal city username login
  loginname displayname nickname nicename latitude longitude avatar password fax`);
/** Words that only people have: a warehouse has a phone number, but no password. */
const OF_A_PERSON =
  set(`firstname lastname surname forename birthday birthdate dob ssn passport gender
  username login loginname nickname nicename password`);
const NAMES_OF_PEOPLE = set('first last given family middle full maiden');
const OPAQUE = set('data payload params properties attributes details context metadata extra raw');
const DERIVED = set('normalized normalised canonical lower hashed raw');
/** Words for addresses from which the application itself sends. */
const SENDERS = set('sender reply from noreply support');

export interface ColumnSigns {
  readonly emails: readonly string[];
  /** Addresses from which the application itself may send: `sender_email`. */
  readonly senders: readonly string[];
  /** Columns that only rows about a person have. */
  readonly ofPerson: readonly string[];
  /** Columns that controllers may use as ids of their customers. */
  readonly customerIds: readonly string[];
  readonly strong: readonly string[];
  readonly weak: readonly string[];
  readonly json: readonly string[];
  /** May contain anything, also about people: `payload`. */
  readonly opaque: readonly string[];
  /** `meta_key` and `meta_value`: the content depends on the row. */
  readonly namesAndValues: readonly string[];
  /** Marks a row as deleted while it still exists. */
  readonly softDeleted: readonly string[];
}

export function signsOf({ table, columns }: Pick<TableShape, 'table' | 'columns'>): ColumnSigns {
  const all = [...columns.values()];
  const named = (test: (words: readonly string[], column: ColumnShape) => boolean) =>
    all.filter((column) => test(wordsOf(column.name), column)).map(({ name }) => name);
  const emails = named((words, column) => column.kind === 'text' && isEmail(words, table));
  const strong = named((words, column) => isData(column) && isStrong(words));
  return {
    emails,
    senders: emails.filter((name) => wordsOf(name).some((word) => SENDERS.has(word))),
    ofPerson: named((words, column) => isData(column) && isOfPerson(words)),
    customerIds: named((words, { kind }) => kind !== 'binary' && isCustomerId(words)),
    strong: strong.filter((name) => !emails.includes(name)),
    weak: named((words, column) => isData(column) && isWeak(words, table)).filter(
      (name) => !emails.includes(name) && !strong.includes(name),
    ),
    json: named((_, { type }) => /json/i.test(type)),
    opaque: named(
      (words, { kind, type }) =>
        (kind === 'text' || kind === 'binary') &&
        !/json/i.test(type) &&
        OPAQUE.has(words.at(-1) ?? ''),
    ),
    namesAndValues: namesAndValues(all.map(({ name }) => name)),
    softDeleted: named((words) =>
      /^(?:(?:is )?(?:soft )?deleted|(?:deleted|discarded|removed|trashed) (?:at|on|date))$/.test(
        words.join(' '),
      ),
    ),
  };
}

/** Decides by the table's own columns, whether or not a person can be found by them. */
export function looksPersonal({ emails, strong, weak }: ColumnSigns): boolean {
  return emails.length > 0 || strong.length > 0 || weak.length > 1;
}

// A flag or a time about a phone number is not a phone number.
function isData({ name, type }: ColumnShape): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return (
    words[0] !== 'id' &&
    !/^(?:bool|tinyint\(1\))/i.test(type) &&
    !['at', 'id', 'count', 'type', 'verified', 'confirmed', 'enabled'].includes(last)
  );
}

function isEmail(words: readonly string[], table: string): boolean {
  if (words.some((word) => DERIVED.has(word))) return false;
  const isAddress = /^addr(?:ess)?$/.test(words.at(-1) ?? '');
  const plain = isAddress ? words.slice(0, -1) : words;
  if (['email', 'mail'].includes(plain.at(-1) ?? '')) return true;
  // email_addresses.address, incoming_emails.from_address
  const before = plain.at(-1);
  return (
    isAddress &&
    tableWords(table).some((word) => /^e?mails?$/.test(word)) &&
    (before === undefined || ['from', 'to', 'sender', 'recipient'].includes(before))
  );
}

function isOfPerson(words: readonly string[]): boolean {
  // The login of a mailbox does not belong to a person.
  if (words.some((word) => ['imap', 'smtp', 'ftp', 'api'].includes(word))) return false;
  return (
    words.some((word) => OF_A_PERSON.has(word)) ||
    /\b(?:(?:first|last|given|family|middle|maiden) name|date of birth|birth date|national id)\b/.test(
      words.join(' '),
    )
  );
}

function isStrong(words: readonly string[]): boolean {
  if (words.some((word) => STRONG.has(word))) return true;
  const text = words.join(' ');
  return (
    (words.at(-1) === 'name' && NAMES_OF_PEOPLE.has(words.at(-2) ?? '')) ||
    /\b(?:date of birth|birth date|remote addr|user agent|login name|national id|card number)\b/.test(
      text,
    )
  );
}

function isCustomerId(words: readonly string[]): boolean {
  return /^(?:controller |external |client )?customer (?:id|no|nr|number|ref|reference|code)$|^external (?:id|ref|reference)$/.test(
    words.join(' '),
  );
}

function isWeak(words: readonly string[], table: string): boolean {
  if (words.at(-1) === 'name' && ['display', 'nick'].includes(words.at(-2) ?? '')) return true;
  return words.some((word) => WEAK.has(word)) || (isPeopleTable(table) && words.join() === 'name');
}

function namesAndValues(names: readonly string[]): readonly string[] {
  const value = names.find((name) => wordsOf(name).at(-1) === 'value');
  const key = names.find((name) => ['key', 'name'].includes(wordsOf(name).at(-1) ?? ''));
  return value === undefined || key === undefined ? [] : [key, value];
}

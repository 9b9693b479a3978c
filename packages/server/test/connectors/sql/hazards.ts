// Values that some database, somewhere, takes for another one.

export const HAZARDS: readonly string[] = [
  'jane@example.com',
  'JANE@EXAMPLE.COM',
  'Jane@Example.com',
  'jane@example.co',
  // The Kelvin sign, in whose lower case many see a k.
  'k@example.com',
  'K@example.com',
  '\u212a@example.com',
  'jos\u00e9@example.com',
  'JOS\u00c9@example.com',
  'jose@example.com',
  'jose\u0301@example.com',
  'stra\u00dfe@example.com',
  'strasse@example.com',
  'STRASSE@example.com',
  'info@x.com',
  'INFO@x.com',
  '\u0131nfo@x.com',
  '\u0130nfo@x.com',
  'i\u0307nfo@x.com',
  'chleb@x.com',
  'CHLEB@x.com',
  'Chleb@x.com',
  'hleb@x.com',
  'llama@x.com',
  'LLAMA@x.com',
  '\u00e6@x.com',
  'ae@x.com',
  '\ufb01@x.com',
  'fi@x.com',
  '\u2460',
  '1',
  '\u0661',
  '\u03c3@x.com',
  '\u03c2@x.com',
  '\u03a3@x.com',
  '\ud83d\ude00@x.com',
  '\ud83d\ude01@x.com',
  '%',
  '_',
  '%@%',
  "o'brien@x.com",
  'a"b',
  'a\\b',
  'a\\',
  '`',
  '$1',
  '?',
  '{a,b}',
  ':email',
  "'; DROP TABLE people; --",
  'null',
  'NULL',
  'true',
  'abc',
  'ABC',
  'a\u200bbc',
  '\ufeffabc',
  '12',
  '12abc',
  '0x0c',
  '012',
  '0123',
  '123',
  '123.0',
  '123.00',
  '1e2',
  '100',
  '+1',
  '-1',
  '2147483648',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '9007199254740992',
  '9007199254740993',
  '99999999999999999999999999999999',
  '0',
  '-0',
  '00',
  '00112233-4455-6677-8899-aabbccddeeff',
  '00112233-4455-6677-8899-AABBCCDDEEFF',
  'x'.repeat(1024),
  `${'x'.repeat(1023)}y`,
  'x'.repeat(40),
  'x'.repeat(41),
];

/** In the database only: no identity has white space at its ends, and none is empty. */
export const NEIGHBOURS: readonly string[] = [
  'abc ',
  ' abc',
  'abc\t',
  '12 ',
  'jane@example.com ',
  '',
];

export interface HazardColumn {
  /** As it is declared, behind the column's name. */
  readonly type: string;
  /** Emails are looked for in texts only. */
  readonly isText: boolean;
  /** Statements before the table is made, or behind it; `v` is the column. */
  readonly before?: string;
  readonly behind?: string;
}

const text = (type: string, more: Partial<HazardColumn> = {}): HazardColumn => ({
  type,
  isText: true,
  ...more,
});
const number = (type: string): HazardColumn => ({ type, isText: false });

export const HAZARD_COLUMNS = {
  sqlite: [
    ...['TEXT', 'VARCHAR(40)', 'TEXT COLLATE NOCASE', 'TEXT COLLATE RTRIM', ''].map((t) => text(t)),
    ...['INTEGER', 'NUMERIC', 'REAL', 'BLOB'].map(number),
    text('TEXT', { behind: 'CREATE INDEX by_v ON people (v COLLATE NOCASE)' }),
  ],
  postgres: [
    ...['text', 'varchar(1100)', 'varchar(40)', 'char(40)', 'text COLLATE "C"'].map((t) => text(t)),
    ...['integer', 'bigint', 'smallint', 'numeric', 'numeric(12,2)', 'uuid'].map(number),
    text('text', { behind: 'CREATE INDEX ON people (lower(v))' }),
    text('varchar(1100)', { behind: 'CREATE INDEX ON people (lower(v))' }),
    text('text', { behind: 'CREATE INDEX ON people (lower(v COLLATE "C"))' }),
    text('citext', { before: 'CREATE EXTENSION citext' }),
    text('text COLLATE loose', {
      before:
        "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    }),
    text('text COLLATE turkish', {
      before: "CREATE COLLATION turkish (provider = icu, locale = 'tr')",
      behind: 'CREATE INDEX ON people (lower(v))',
    }),
    text('short', { before: "CREATE DOMAIN short AS text CHECK (VALUE <> '%')" }),
  ],
  mysql: [
    ...['varchar(1100)', 'varchar(40)', 'char(40)', 'text', 'varchar(40) CHARACTER SET ascii'].map(
      (t) => text(t),
    ),
    ...[
      'bin',
      'general_ci',
      'unicode_ci',
      'turkish_ci',
      'czech_ci',
      'spanish2_ci',
      'nopad_bin',
    ].map((collation) => text(`varchar(700) COLLATE utf8mb4_${collation}`)),
    ...['latin1', 'utf8mb3', 'latin5', 'utf16'].map((set) =>
      text(`varchar(600) CHARACTER SET ${set}`),
    ),
    ...['latin1_general_cs', 'latin1_german2_ci', 'latin5_turkish_ci'].map((collation) =>
      text(`varchar(600) COLLATE ${collation}`),
    ),
    ...['int', 'bigint', 'bigint unsigned', 'tinyint', 'decimal(12,2)', 'decimal(40,0)'].map(
      number,
    ),
    number('uuid'),
  ],
} as const satisfies Record<string, readonly HazardColumn[]>;

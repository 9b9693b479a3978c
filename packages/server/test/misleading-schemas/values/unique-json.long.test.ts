// A unique index on something inside a JSON document, and documents of which parts are overwritten.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { itOn, KINDS, type Kind, refused, tables, withTarget } from '../misled-target.ts';

const person = (mail: string) => [new Identity('email', mail)];
const ROWS = `INSERT INTO people (id, email, data) VALUES
  (1, 'jane@x.org', '{"email": "jane@x.org", "kind": "a", "at": {"mail": "jane"}}'),
  (2, 'joe@x.org', '{"email": "joe@x.org", "kind": "a", "at": {"mail": "joe"}}'),
  (3, 'eve@x.org', '{"kind": "a"}')`;

/** A table whose documents differ in what `read` makes of them. */
const SCHEMA: Record<Kind, (read: string, rest?: string) => string> = {
  SQLite: (read, rest = '') =>
    `CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, data TEXT);
     CREATE UNIQUE INDEX by_data ON people (${read}) ${rest}; ${ROWS}`,
  PostgreSQL: (read, rest = '') =>
    `CREATE TABLE people (id int PRIMARY KEY, email text, data jsonb);
     CREATE UNIQUE INDEX by_data ON people ((${read})) ${rest}; ${ROWS}`,
  MariaDB: (read) =>
    `CREATE TABLE people (id int PRIMARY KEY, email varchar(90), data JSON,
       read_out varchar(90) AS (${read}), UNIQUE by_data (read_out)); ${ROWS}`,
};

interface Reads {
  /** Of the text at $.email. */
  readonly text: readonly string[];
  /** Of the same as JSON, where null is a value. */
  readonly json: readonly string[];
  /** Of the text at $.at.mail. */
  readonly deep: readonly string[];
  readonly filled: string;
}
const READS: Record<Kind, Reads> = {
  SQLite: {
    text: ["json_extract(data, '$.email')", "data ->> 'email'", "lower(data ->> '$.email')"],
    json: ["data -> 'email'"],
    deep: ["json_extract(data, '$.at.mail')", "data -> 'at' ->> 'mail'"],
    filled: "coalesce(data ->> 'email', id)",
  },
  PostgreSQL: {
    text: [
      "data ->> 'email'",
      "lower(data #>> '{email}')",
      "jsonb_extract_path_text(data, 'email')",
    ],
    json: ["data -> 'email'", "data['email']"],
    deep: ["data #>> '{at,mail}'", "data -> 'at' ->> 'mail'"],
    filled: "coalesce(data ->> 'email', 'none')",
  },
  MariaDB: {
    text: ["json_value(data, '$.email')"],
    json: ["json_unquote(json_extract(data, '$.email'))", "json_extract(data, '$.email')"],
    deep: ["json_value(data, '$.at.mail')", "json_unquote(json_extract(data, '$.at.mail'))"],
    filled: "ifnull(json_value(data, '$.email'), 'none')",
  },
};

const overwriting = (change: string) => [
  'tenancy: none',
  tables(
    `{ table: people, match: { email: email }, action: { overwrite: { data: { json: { ${change} } } } } }`,
  ),
];
const NAMES_WAY = 'so the same value fits one row only; write "$.email": { remove: true } instead';

describe.each(KINDS)('a unique value inside JSON (%s)', (kind) => {
  const { text, json, deep, filled } = READS[kind];
  const refusedFor = (read: string, change: string, line = NAMES_WAY) =>
    withTarget(kind, SCHEMA[kind](read), overwriting(change), async (shop) => {
      expect(await shop.problems()).toEqual([expect.stringContaining(line)]);
      await shop.request();
      expect(await shop.run()).toMatchObject(refused(line));
    });
  /** And nothing keeps the second person from being erased. */
  const taken = (read: string, change: string, rest = '') =>
    withTarget(kind, SCHEMA[kind](read, rest), overwriting(change), async (shop) => {
      expect(await shop.problems()).toEqual([]);
      for (const mail of ['jane@x.org', 'joe@x.org']) {
        const request = await shop.request(person(mail));
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.statusOf(request)).toBe('completed');
      }
    });

  itOn(kind)('refuses one text for all, with the line to write', async () => {
    for (const read of [...text, ...json]) await refusedFor(read, '"$.email": erased');
  });

  itOn(kind)(
    'takes null where it is read as NULL, and refuses it where it is a value',
    async () => {
      for (const read of text) await taken(read, '"$.email": null');
      for (const read of json) await refusedFor(read, '"$.email": null');
    },
  );

  itOn(kind)('takes the removal, and changes elsewhere in the document', async () => {
    for (const read of [...text, ...json]) {
      await taken(read, '"$.email": { remove: true }');
      await taken(read, '"$.kind": erased, "$.at.email": erased');
    }
  });

  itOn(kind)('knows places further down, and what is above them', async () => {
    for (const read of deep) {
      await refusedFor(read, '"$.at.mail": x', 'write "$.at.mail": { remove: true } instead');
      await taken(read, '"$.at": null');
      await taken(read, '"$.mail": x');
    }
  });

  itOn(kind)('refuses what is filled in where nothing is', () =>
    kind === 'SQLite'
      ? taken(filled, '"$.name": x')
      : refusedFor(
          filled,
          '"$.email": { remove: true }',
          'leave it out, delete the rows, or write',
        ),
  );
});

describe.each(['SQLite', 'PostgreSQL'] as const)('a partial index on JSON (%s)', (kind) => {
  const read = "data ->> 'email'";
  const problems = (rest: string, change: string, expected: readonly unknown[]) =>
    withTarget(kind, SCHEMA[kind](read, rest), overwriting(change), async (shop) => {
      expect(await shop.problems()).toEqual(expected);
    });

  itOn(kind)('is refused unless the new values may take the row out of it', async () => {
    const isRefused = [expect.stringContaining(NAMES_WAY)];
    await problems("WHERE data ->> 'email' IS NOT NULL", '"$.email": erased', isRefused);
    await problems("WHERE data ->> 'kind' = 'a'", '"$.email": erased', isRefused);
    await problems("WHERE data ->> 'kind' = 'a'", '"$.email": erased, "$.kind": gone', []);
    await problems("WHERE data ->> 'email' <> 'erased'", '"$.email": erased', []);
  });
});

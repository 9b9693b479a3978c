// A unique index on something inside a JSON document, and documents of which parts are overwritten.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { itOn, KINDS, type Kind, tables, withTarget } from '../misled-target.ts';

const person = (mail: string) => [new Identity('email', mail)];
const ROWS = `INSERT INTO people (id, email, data) VALUES
  (1, 'jane@x.org', '{"email": "jane@x.org", "kind": "a", "at": {"mail": "jane"}}'),
  (2, 'joe@x.org', '{"email": "joe@x.org", "kind": "a", "at": {"mail": "joe"}}'),
  (3, 'eve@x.org', '{"kind": "a"}')`;

/** A table whose documents differ in what `read` makes of them. */
const SCHEMA: Record<Kind, (read: string) => string> = {
  SQLite: (read) =>
    `CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, data TEXT);
     CREATE UNIQUE INDEX by_data ON people (${read}); ${ROWS}`,
  PostgreSQL: (read) =>
    `CREATE TABLE people (id int PRIMARY KEY, email text, data jsonb);
     CREATE UNIQUE INDEX by_data ON people ((${read})); ${ROWS}`,
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
}
const READS: Record<Kind, Reads> = {
  SQLite: {
    text: ["json_extract(data, '$.email')", "data ->> 'email'", "lower(data ->> '$.email')"],
    json: ["data -> 'email'"],
    deep: ["json_extract(data, '$.at.mail')", "data -> 'at' ->> 'mail'"],
  },
  PostgreSQL: {
    text: [
      "data ->> 'email'",
      "lower(data #>> '{email}')",
      "jsonb_extract_path_text(data, 'email')",
    ],
    json: ["data -> 'email'", "data['email']"],
    deep: ["data #>> '{at,mail}'", "data -> 'at' ->> 'mail'"],
  },
  MariaDB: {
    text: ["json_value(data, '$.email')"],
    json: ["json_unquote(json_extract(data, '$.email'))", "json_extract(data, '$.email')"],
    deep: ["json_value(data, '$.at.mail')", "json_unquote(json_extract(data, '$.at.mail'))"],
  },
};

const overwriting = (change: string) => [
  'tenancy: none',
  tables(
    `{ table: people, match: { email: email }, action: { overwrite: { data: { json: { ${change} } } } } }`,
  ),
];

describe.each(KINDS)('a unique value inside JSON (%s)', (kind) => {
  const { text, json, deep } = READS[kind];

  itOn(kind)('holds the second person where both get one text, until it is removed', async () => {
    for (const read of [...text, ...json])
      await withTarget(kind, SCHEMA[kind](read), overwriting('"$.email": erased'), async (shop) => {
        await shop.request(person('jane@x.org'));
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        const second = await shop.request(person('joe@x.org'));
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'held' }] });
        shop.configure(overwriting('"$.email": { remove: true }'));
        await shop.release(second);
        await shop.run();
        expect(await shop.statusOf(second)).toBe('completed');
      });
  });

  itOn(kind)('takes the removal, and changes elsewhere in the document', async () => {
    const taken = (read: string, change: string) =>
      withTarget(kind, SCHEMA[kind](read), overwriting(change), async (shop) => {
        for (const mail of ['jane@x.org', 'joe@x.org']) {
          await shop.request(person(mail));
          expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        }
      });
    for (const read of [...text, ...json]) {
      await taken(read, '"$.email": { remove: true }');
      await taken(read, '"$.kind": erased, "$.at.email": erased');
    }
    for (const read of deep) await taken(read, '"$.at": null');
  });
});

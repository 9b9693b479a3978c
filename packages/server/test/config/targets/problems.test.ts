import { describe, expect, it } from 'vitest';
import {
  httpTarget,
  sqlTarget,
  statementsTarget,
  TABLE,
  useWrittenTargets,
} from './written-targets.ts';

const { problemsOf, read } = useWrittenTargets();

describe('problems with targets', () => {
  it('are all named at once, each with its place', () => {
    const shop = sqlTarget({
      url: 'mysql://db/shop',
      batch_size: 0,
      tables: [
        TABLE,
        { table: 'orders' },
        { table: 'notes', match: { emial: 'x' }, action: 'shred' },
      ],
    });
    expect(problemsOf({ shop, Bad: { connector: 'postgress' }, crm: 'https://crm' })).toEqual([
      expect.stringMatching(/^targets\.shop\.tables\[1\]: must say which rows belong to a request/),
      'targets.shop.tables[2].match.emial: is not a setting; did you mean email?',
      expect.stringMatching(/^targets\.shop\.tables\[2\]\.action: must be delete, /),
      'targets.shop.batch_size: must be a whole number from 1 to 1000',
      'targets.shop.url: must begin with postgres:// or postgresql:// for postgres',
      expect.stringMatching(/^targets\.Bad: the name must have 1 to 64 characters/),
      expect.stringMatching(/^targets\.Bad\.connector: must be one of: .*did you mean postgres\?$/),
      expect.stringMatching(/^targets\.crm: must be an object/),
      expect.stringMatching(/^targets\.crm\.connector: must be one of: /),
    ]);
  });

  it('name a connector that is misspelt itself', () => {
    expect(problemsOf({ crm: { conector: 'http', url: 'https://crm' } })).toEqual([
      expect.stringMatching(/^targets\.crm\.connector: must be one of: /),
      'targets.crm.conector: is not a setting; did you mean connector?',
    ]);
  });

  it('distinguish a misspelled name from one that belongs to another connector', () => {
    expect(problemsOf({ crm: httpTarget({ veryfy: 'none', tables: [TABLE] }) })).toEqual([
      'targets.crm.veryfy: is not a setting; did you mean verify?',
      'targets.crm.tables: is not for the connector http; leave it out',
    ]);
  });
});

describe('an SQL target', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['without url', { url: null }, /url: is missing$/],
    [
      'with an address of something else',
      { url: 'https://db/shop' },
      /url: must begin with postgres/,
    ],
    ['with an address that is none', { url: 'localhost' }, /url: must be an address such as/],
    [
      'with a # in its password',
      { url: 'postgres://u:a#b@db/shop' },
      /write special characters as %23/,
    ],
    ['without a database', { url: 'postgres://db' }, /url: must name the database/],
    [
      'with neither tables nor sql',
      { tables: null },
      /it: must have "tables", .* there is neither$/,
    ],
    ['with both', { sql: statementsTarget().sql }, /it: must have "tables", .* there is both$/],
    ['without a table', { tables: [] }, /tables: must be a list of tables/],
    ['with tables by name', { tables: { a: {} } }, /tables: must be a list of tables/],
    [
      'with one table twice',
      { tables: [TABLE, TABLE] },
      /tables\[1\]\.table: is in tables\[0\] already/,
    ],
    [
      'with an empty match',
      { tables: [{ table: 'a', match: {} }] },
      /\.match: must have one of: email/,
    ],
    ['with an empty key', { tables: [{ ...TABLE, key: [] }] }, /\.key: must name a column/],
    [
      'with no table name',
      { tables: [{ match: { email: 'a' } }] },
      /tables\[0\]\.table: is missing$/,
    ],
    [
      'with a column of no table',
      { detach: ['boss'] },
      /detach\[0\]: must be a table and its column/,
    ],
    [
      'with a column without a name',
      { detach: ['a.'] },
      /detach\[0\]: must be a table and its column/,
    ],
    ['with two names alike', { triggers: ['a', 'a'] }, /triggers: has the same name twice/],
    [
      'with a text for a number',
      { max_rows_per_subject: 'many' },
      /must be a whole number from 1 to/,
    ],
    [
      'with too long a timeout',
      { statement_timeout: '1h' },
      /statement_timeout: must be from 1s to 10m/,
    ],
    ['with a mode that is none', { mode: 'delete' }, /mode: must be one of: erase, preview$/],
    ['with hours that are none', { hours: 'at night' }, /hours: must be times and a time zone/],
    ['with hours in no zone', { hours: '22:00-06:00 Mars/Base' }, /must end with a time zone/],
    [
      'with hours that never open',
      { hours: '22:00-22:00 UTC' },
      /begin and end at different times/,
    ],
    ['with hours past midnight', { hours: '22:00-25:00 UTC' }, /times from 00:00 to 24:00/],
  ])('is refused %s', (_, fields, message) => {
    expect(problemsOf({ it: sqlTarget(fields) })).toEqual([expect.stringMatching(message)]);
  });
});

describe('a table', () => {
  const withVia = (via: unknown, more: object[] = []) =>
    sqlTarget({ tables: [{ table: 'orders', via }, TABLE, ...more] });

  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'an unknown parent',
      withVia({ customer: { a: 'b' } }),
      /via\.customer: .*did you mean customers\?/,
    ],
    [
      'itself for a parent',
      withVia({ orders: { a: 'b' } }),
      /tables\[0\]\.via: names the table itself/,
    ],
    [
      'no columns',
      withVia({ customers: {} }),
      /via\.customers: must have \{ <column of this table>/,
    ],
    ['no parent', withVia({}), /via: must name a parent table/],
    [
      'a circle of parents',
      withVia({ items: { a: 'b' } }, [{ table: 'items', via: { orders: { a: 'b' } } }]),
      /tables\[0\]\.via: goes in a circle \(orders -> items -> orders\)/,
    ],
    [
      'a circle through a table that is matched too',
      sqlTarget({
        tables: [
          { table: 'logins', match: { email: 'name' }, via: { people: { person: 'id' } } },
          { table: 'people', via: { logins: { id: 'person' } } },
        ],
      }),
      /goes in a circle .* list logins twice with "where", once with "match" and once with "via"/,
    ],
  ])('is refused with %s', (_, target, message) => {
    expect(problemsOf({ it: target })).toEqual([expect.stringMatching(message)]);
  });

  it('may have two parents with one parent of their own', () => {
    const tables = [
      { table: 'd', via: { b: { x: 'y' }, c: { x: 'y' } } },
      { table: 'b', via: { customers: { x: 'y' } } },
      { table: 'c', via: { customers: { x: 'y' } } },
      TABLE,
    ];
    expect(read({ it: sqlTarget({ tables }) })).toHaveLength(1);
  });

  it.each<[string, unknown, RegExp]>([
    ['an empty overwrite', { overwrite: {} }, /action: must name columns to overwrite/],
    ['an empty reason', { retain: ' ' }, /action\.retain: must not be empty/],
    ['no reason', { retain: null }, /action: must name columns .* or a reason/],
    ['two actions', { overwrite: { a: 1 }, retain: 'x' }, /action: has both overwrite and retain/],
    ['an unknown action', { overwrites: { a: 1 }, retain: 'x' }, /overwrites: .* mean overwrite\?/],
    ['a list for a value', { overwrite: { a: [] } }, /overwrite\.a: must be null, a string/],
    [
      'a hash that is not',
      { overwrite: { a: { hash: false } } },
      /overwrite\.a: must be null, a string/,
    ],
    ['an overwritten key', { overwrite: { id: 1 } }, /overwrite\.id: is part of the key/],
  ])('is refused with %s', (_, action, message) => {
    const target = sqlTarget({ tables: [{ ...TABLE, key: 'id', action }] });
    expect(problemsOf({ it: target })).toEqual([expect.stringMatching(message)]);
  });
});

describe('hand-written SQL', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'without an identity',
      { erase: 'DELETE FROM t' },
      /sql\.erase: must use :email or :controller_cust/,
    ],
    ['with one in quotes', { verify: "SELECT ':email'" }, /sql\.verify: must use :email or/],
    [
      'with an unknown parameter',
      {
        erase: ['DELETE FROM t WHERE a = :email', 'DELETE FROM t WHERE a = :email AND b = :emial'],
      },
      /sql\.erase\[1\]: :emial is not a parameter .*did you mean email\?$/,
    ],
    [
      'with two statements in one',
      { erase: 'DELETE FROM t WHERE a = :email; SELECT 1' },
      /sql\.erase: holds several/,
    ],
    [
      'with a transaction of its own',
      { verify: 'COMMIT AND CHAIN -- \n = :email' },
      /must not begin or end transactions/,
    ],
    ['without a preview', { preview: null }, /sql\.preview: is missing$/],
    ['without a statement', { erase: [] }, /sql\.erase: must have a statement$/],
  ])('is refused %s', (_, sql, message) => {
    expect(problemsOf({ it: statementsTarget(sql) })).toEqual([expect.stringMatching(message)]);
  });

  it('has no cascades: the tables that it reaches are not checked', () => {
    expect(problemsOf({ it: statementsTarget({}, { cascades: ['a'] }) })).toEqual([
      'targets.it.cascades: is only for tables; leave it out with sql',
    ]);
  });
});

describe('resolve', () => {
  const resolve = { table: 't', from: { email: 'a' }, to: { controller_customer_id: 'b' } };

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['without a table', { table: null }, /resolve\.table: is missing$/],
    [
      'to the same column',
      { to: { email: 'a' } },
      /resolve\.to: must be another column than "from"$/,
    ],
    [
      'from two types',
      { from: { email: 'a', controller_customer_id: 'b' } },
      /from: must be one of/,
    ],
    ['without limit', { limit: 0 }, /resolve\.limit: must be a whole number from 1 to 1000$/],
  ])('is refused %s', (_, fields, message) => {
    const target = sqlTarget({ resolve: { ...resolve, ...fields } });
    expect(problemsOf({ it: target })).toEqual([expect.stringMatching(message)]);
  });

  it('may find a second address by the first', () => {
    const target = sqlTarget({ resolve: { ...resolve, to: { email: 'b' } } });
    expect(read({ it: target })).toMatchObject([
      { resolve: { to: { type: 'email', column: 'b' } } },
    ]);
  });
});

describe('an HTTP target', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['for another scheme', { url: 'ftp://crm.example' }, /url: must be an address such as https/],
    ['with a user in its address', { url: 'https://u:p@crm.example' }, /without user and password/],
    ['with two kinds of auth', { bearer: 'a', hmac: 'b' }, /it: has bearer and hmac; keep one/],
    ['with a token of two lines', { bearer: 'a\nb' }, /bearer: must be one word/],
    ['with half of basic', { basic: { username: 'u' } }, /basic\.password: is missing$/],
    [
      'with a network that is none',
      { allow_private: ['intranet'] },
      /allow_private: must be true, false/,
    ],
    [
      'with a controller that is none',
      { controllers: ['Not A Slug'] },
      /controllers: a controller id/,
    ],
    ['for no controller', { controllers: [] }, /controllers: must name a controller/],
  ])('is refused %s', (_, fields, message) => {
    expect(problemsOf({ it: httpTarget(fields) })).toEqual([expect.stringMatching(message)]);
  });
});

it('a module is refused if its file does not exist', () => {
  expect(problemsOf({ it: { connector: 'module', file: './nowhere.ts' } })).toEqual([
    expect.stringMatching(/^targets\.it\.file: there is no file .*nowhere\.ts/),
  ]);
});

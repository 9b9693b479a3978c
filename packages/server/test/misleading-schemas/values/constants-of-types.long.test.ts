// Constants for columns of every type: what the check lets pass is written and found again as written, and what it
// refuses the database would refuse too.
import { describe, expect } from 'vitest';
import { itOn, itOnMariadb, type Kind, tables, withTarget } from '../misled-target.ts';

/** Of each type: what a row has, and constants as YAML writes them. `!`: to be refused. */
type Case = readonly [type: string, stored: string, ...constants: readonly string[]];

const CASES: Readonly<Partial<Record<Kind, readonly Case[]>>> = {
  MariaDB: [
    ['inet6', "'2001:db8::1'", '"::"', '"::ffff:0.0.0.0"', '!"0.0.0.0"', '!erased', '!0'],
    ['inet4', "'10.0.0.1'", '"0.0.0.0"', '!"::"', '!erased'],
    [
      'timestamp NULL',
      "'2020-01-01 10:00:00'",
      '"2000-01-01"',
      '"2000-01-01 10:11:12"',
      '!"1970-01-01"',
      '!"2200-01-01"',
      '!"2020-02-30"',
    ],
    [
      'datetime',
      "'2020-01-01 10:00:00'",
      '"1970-01-01"',
      '"1900-01-01 00:00:00.5"',
      '!"2020-02-30"',
      '!"2020"',
    ],
    ['date', "'2020-01-01'", '"1970-01-01"', '!"2020-02-30"', '"0000-00-00"'],
    ['time', "'10:00:00'", '"00:00:00"', '!"99:99:99"'],
    ['year', '2001', '1901', '2155', '0', '!1900', '!2156', '!erased'],
    ['bit(8)', "b'101'", '0', '255', 'true', '!256', '!300', '!-1', '!erased'],
    ['bit(1)', "b'1'", '0', 'false', '!2'],
    ['varbinary(3)', "'abc'", '""', '"xyz"', '!erased', '!"ééé"'],
    ['binary(4)', "'abcd'", '""', '"ab"', '"wxyz"', '!erased'],
    ['tinyblob', "'abc'", '"erased"', `!"${'x'.repeat(256)}"`],
    ["set('a','b')", "'b'", '""', '"a"', '"a,b"', '!"c"'],
    ["enum('a','b')", "'a'", '"b"', '!"c"', '!1'],
    [
      'uuid',
      "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
      '"00000000-0000-0000-0000-000000000000"',
      '"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A12"',
      '!erased',
    ],
    ['float', '1.5', '0', '0.1', '!erased'],
    ['decimal(5,2)', '1.5', '0', '0.125', '!1000'],
    ['json', "'{}'", '"[]"', '!erased'],
  ],
  PostgreSQL: [
    ['bit(3)', "B'101'", '"000"', '!"0"', '!erased'],
    ['varbit(3)', "B'101'", '""', '"0"', '!"0000"'],
    ['inet', "'10.0.0.1'", '"0.0.0.0"', '"::/128"', '!erased'],
    ['cidr', "'10.0.0.0/8'", '"0.0.0.0/32"', '!"10.0.0.1/8"'],
    ['macaddr', "'08:00:2b:01:02:03'", '"00:00:00:00:00:00"', '"08002b010204"', '!erased'],
    ['int4range', "'[1,5)'", '"empty"', '"[1,3]"', '!erased'],
    [
      'tstzrange',
      "'[2020-01-01,2021-01-01)'",
      '"empty"',
      '"[2020-01-01,2020-02-01)"',
      '!"[2020-02-01,2020-01-01)"',
    ],
    ['interval', "'1 day'", '"0"', '"2 hours"', '!erased'],
    ['money', "'12.50'", '"0"', '0', '!erased'],
    ['xml', "'<a/>'", '"<x/>"', '!"<"'],
    ['tsvector', "'jane'", '""', '"a b"'],
    ['integer[]', "'{1,2}'", '"{}"', '"{0}"', '!erased'],
    ['text[]', "'{a}'", '"{}"', '"{x,NULL}"', '!erased'],
    ['point', "'(1,2)'", '"(0,0)"', '!erased'],
    ['date', "'2020-01-01'", '"1970-01-01"', '!"2020-02-30"'],
    ['timetz', "'10:00+02'", '"00:00+00"', '!erased'],
    [
      'uuid',
      "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
      '"00000000-0000-0000-0000-000000000000"',
      '!erased',
    ],
    ['bytea', "'abc'", '""', '"\\\\x00"'],
    ['oid', '7', '0', '!erased'],
    ['pair', "'(1,x)'", '"(0,)"', '!erased'],
    ['mood', "'sad'", '"ok"', '!"erased"'],
    ['short', "'abc'", '"x"', '!"toolong"'],
    ['jsonpath', "'$.a'", '"$"', '!"{"'],
    ['real', '1.5', '0', '0.1', '!erased'],
    ['numeric(5,2)', '1.5', '0', '0.125', '!1000'],
    ['char(3)', "'abc'", '"x"', '!"toolong"'],
    ['"char"', "'a'", '"x"'],
  ],
  SQLite: [
    ['INTEGER', '1', '0', '!erased'],
    ['REAL', '1.5', '0', '0.1'],
    ['TEXT', "'x'", '0', 'erased'],
    ['BLOB', "x'00'", '""', 'erased'],
    ['ANY', "'x'", '0', 'erased'],
  ],
};
const BEFORE: Readonly<Partial<Record<Kind, string>>> = {
  PostgreSQL:
    "CREATE TYPE pair AS (n int, t text); CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN short AS varchar(3);",
};

const isOfMariadb = (kind: Kind, type: string) =>
  kind === 'MariaDB' && /^(?:inet[46]|uuid)$/.test(type);

for (const [kind, cases] of Object.entries(CASES) as [Kind, readonly Case[]][])
  describe.each(cases)(`${kind}: %s`, (type, stored, ...constants) => {
    (isOfMariadb(kind, type) ? itOnMariadb : itOn(kind)).each(constants)('%s', async (written) => {
      const isRefused = written.startsWith('!');
      const constant = isRefused ? written.slice(1) : written;
      const schema = `${BEFORE[kind] ?? ''}
        CREATE TABLE u (id INTEGER PRIMARY KEY, email VARCHAR(50), x ${type});
        INSERT INTO u VALUES (1, 'jane@x.org', ${stored}), (2, 'bob@x.org', ${stored})`;
      const plan = `{ table: u, match: { email: email }, action: { overwrite: { x: ${constant} } } }`;
      await withTarget(kind, schema, ['tenancy: none', tables(plan)], async (shop) => {
        const problems = await shop.problems();
        expect(problems).toEqual(isRefused ? [expect.stringContaining('"x" ')] : []);
        if (isRefused) return;
        const request = await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.evidenceOf(request)).toMatchObject({ tables: { u: { rows: 1 } } });
        const again = await shop.request();
        expect(await shop.run()).toMatchObject({ outcomes: [{ outcome: 'erased' }] });
        expect(await shop.evidenceOf(again)).toMatchObject({
          action: 'already_erased',
          tables: {},
        });
      });
    });
  });

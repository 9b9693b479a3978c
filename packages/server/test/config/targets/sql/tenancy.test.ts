// A mistake here lets one controller's request erase another's rows, so nothing is guessed.
import { describe, expect, it } from 'vitest';
import { sqlTarget, statementsTarget, TABLE, useWrittenTargets } from '../written-targets.ts';

const { load, one, problemsOf } = useWrittenTargets();

const WITH_PARAMETER = {
  preview: 'SELECT count(*) FROM people WHERE mail = :email AND owner = :controller_id',
  erase: 'DELETE FROM people WHERE mail = :email AND owner = :tenant',
  verify: 'SELECT count(*) FROM people WHERE mail = :email AND owner = :tenant',
};

describe('whose rows are whose', () => {
  it('must be declared, and the message explains the three ways', () => {
    const [problem, ...others] = problemsOf({ shop: sqlTarget({ tenancy: null }) });
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /^targets\.shop: must say in exactly one way which controller a row belongs to/,
    );
    expect(problem).toContain("so that a request never touches another controller's rows");
    for (const way of [
      'tenant_column: <column>',
      'controllers: [<controller_id>]',
      'tenancy: none',
    ]) {
      expect(problem).toContain(way);
    }
  });

  it.each([
    [{ tenant_column: 'account' }, 'tenant_column and tenancy'],
    [{ controllers: ['acme'] }, 'controllers and tenancy'],
    [{ controllers: ['acme'], tenant_column: 'a', tenancy: null }, 'tenant_column and controllers'],
  ])('may not be declared in two ways: %j', (fields, found) => {
    expect(problemsOf({ it: sqlTarget(fields) })).toEqual([
      expect.stringMatching(new RegExp(`must say in exactly one way .*; there are ${found}$`)),
    ]);
  });

  it('may not be two controllers of one database without a column', () => {
    expect(
      problemsOf({ it: sqlTarget({ tenancy: null, controllers: ['acme', 'globex'] }) }),
    ).toEqual([
      expect.stringMatching(
        /^targets\.it\.controllers: must name one controller.* needs tenant_column/,
      ),
    ]);
  });

  it('may not be "none" by another word', () => {
    expect(problemsOf({ it: sqlTarget({ tenancy: 'off' }) })).toEqual([
      'targets.it.tenancy: must be one of: none',
    ]);
  });
});

describe('a table of all tenants', () => {
  const problems = (table: object, target: object = { tenancy: null, tenant_column: 'account' }) =>
    problemsOf({ it: sqlTarget({ ...target, tables: [{ ...TABLE, ...table }] }) });

  it('is retained, in a target that tells tenants apart by a column', () => {
    const retained = { tenancy: 'none', action: { retain: 'hers' } };
    const tables = [{ ...TABLE, ...retained }];
    expect(one(sqlTarget({ tenancy: null, tenant_column: 'account', tables }))).toMatchObject({
      work: { tables: [{ tenancy: 'none', tenantColumn: null }] },
    });
    expect(problems({ tenancy: 'none' })).toEqual([
      expect.stringMatching(/tables\[0\]\.tenancy: says .* write action: \{ retain: "<reason>" \}/),
    ]);
    expect(problems({ ...retained, tenant_column: 'b' })).toEqual([
      expect.stringMatching(/tables\[0\]\.tenancy: is set beside tenant_column/),
    ]);
    expect(problems(retained, {})).toEqual([
      expect.stringMatching(/tables\[0\]\.tenancy: is only for a target with tenant_column/),
    ]);
  });
});

describe('a tenant by reference', () => {
  const GUESTS = { table: 'guests', match: { email: 'email' }, tenant: { stays: { stay: 'id' } } };
  const STAYS = { table: 'stays', action: 'lead', tenant: { hotels: { hotel: 'id' } } };
  const HOTELS = { table: 'hotels', action: 'lead', tenant_column: 'chain' };
  const plan = (...tables: object[]) =>
    sqlTarget({ tenancy: null, tenant_column: 'account', tables });
  const problems = (...tables: object[]) => problemsOf({ it: plan(...tables) });

  it('leads through tables that are only read', () => {
    expect(one(plan(GUESTS, STAYS, HOTELS))).toMatchObject({
      work: {
        tables: [{ table: 'guests', tenant: [{ parent: 'stays', columns: { stay: 'id' } }] }],
        leads: [
          { table: 'stays', tenant: [{ parent: 'hotels', columns: { hotel: 'id' } }] },
          { table: 'hotels', tenantColumn: 'chain' },
        ],
      },
    });
  });

  it('leads also from a table in which identities are looked up alone', () => {
    const ends = { from: { email: 'guest' }, to: { controller_customer_id: 'no' } };
    const tables = [STAYS, HOTELS, TABLE];
    const written = (table: string) =>
      sqlTarget({ tenancy: null, tenant_column: 'account', tables, resolve: { table, ...ends } });
    expect(one(written('stays'))).toMatchObject({ resolve: { table: 'stays' } });
    expect(problemsOf({ shop: written('guests') })).toEqual([
      expect.stringMatching(/tables\[0\]: is only read .* nor "resolve" names it/),
    ]);
  });

  it('may lead to a table that is erased from, and the places of problems are those in the file', () => {
    const stays = { ...TABLE, table: 'stays', tenant: { hotels: { hotel: 'id' } } };
    expect(one(plan(HOTELS, stays, GUESTS))).toMatchObject({
      work: { tables: [{}, {}], leads: [{}] },
    });
    expect(problems(HOTELS, { ...stays, via: { nobody: { a: 'b' } } }, GUESTS)).toEqual([
      expect.stringContaining('tables[1].via.nobody: is not a table of this target'),
    ]);
  });

  it.each([
    [
      [GUESTS, HOTELS],
      [/tables\[0\]\.tenant\.stays: is not a table/, /tables\[1\]: is only read/],
    ],
    [
      [GUESTS, { ...STAYS, tenant: null }, HOTELS],
      [/tables\[2\]: is only read .* neither a "tenant" nor "resolve" names it/],
    ],
    [
      [GUESTS, { ...STAYS, tenant: { guests: { id: 'stay' } } }],
      [/tables\[0\]\.tenant: goes in a circle/, /tables\[1\]\.tenant: goes in a circle/],
    ],
    [
      [{ ...GUESTS, tenant: { guests: { parent: 'id' } } }],
      [/goes in a circle \(guests -> guests\)/],
    ],
    [
      [GUESTS, { ...STAYS, match: { email: 'mail' } }, HOTELS],
      [/tables\[1\]\.match: is not for a table with action: lead/],
    ],
    [
      [{ ...GUESTS, action: { overwrite: { stay: null } } }, STAYS, HOTELS],
      [/overwrite\.stay: leads to the tenant of the row/],
    ],
    [
      [GUESTS, { ...TABLE, table: 'stays' }, STAYS, HOTELS],
      [/tables\[2\]: is in the list already/],
    ],
    [
      [{ ...GUESTS, tenancy: 'none', action: { retain: 'why' } }, STAYS, HOTELS],
      [/tables\[0\]\.tenancy: is set beside tenant;/],
    ],
  ])('is refused where it leads to nothing: %j', (tables, expected) => {
    expect(problems(...tables)).toEqual(expected.map((one) => expect.stringMatching(one)));
  });

  it('is only for a target with a tenant column', () => {
    expect(problemsOf({ it: sqlTarget({ tables: [GUESTS, STAYS, HOTELS] }) })).toEqual([
      expect.stringMatching(/tables\[0\]\.tenant: is only for a target with tenant_column/),
      expect.stringMatching(/tables\[1\]\.tenant: is only for a target with tenant_column/),
    ]);
  });
});

describe('a tenant column', () => {
  const column = (tenants: unknown, more = {}) =>
    sqlTarget({ tenancy: null, tenant_column: 'account', tenants, ...more });

  it('has values as they were written, without what YAML makes of digits', () => {
    const file = `
targets:
  it:
    connector: postgres
    url: postgres://db/shop
    tenant_column: account
    tenants: { a: 42, b: 007, c: 12345678901234567890, d: "1.00", e: -3, f: 1.0, g: 1.10 }
    tables: [{ table: t, match: { email: email } }]`;
    expect(load({ file }).config.targets).toMatchObject([
      {
        tenancy: {
          values: {
            a: '42',
            b: '007',
            c: '12345678901234567890',
            d: '1.00',
            e: '-3',
            f: '1.0',
            g: '1.10',
          },
        },
      },
    ]);
  });

  it.each([1.5, true, '', {}])('may not have the value %j', (value) => {
    expect(problemsOf({ it: column({ acme: value }) })).toEqual([
      expect.stringMatching(/^targets\.it\.tenants\.acme: must be a string or a whole number/),
    ]);
  });

  it('may not have one value for two controllers', () => {
    expect(problemsOf({ it: column({ acme: 42, globex: '42' }) })).toEqual([
      expect.stringMatching(/^targets\.it\.tenants: gives two controllers one value/),
    ]);
  });

  it('may have several values for a controller, and none for two', () => {
    expect(one(column({ acme: [1, 'x'], globex: [2] }))).toMatchObject({
      tenancy: { values: { acme: ['1', 'x'], globex: ['2'] } },
    });
    expect(problemsOf({ it: column({ acme: [1, 3], globex: 3 }) })).toEqual([
      expect.stringMatching(/^targets\.it\.tenants: gives two controllers one value/),
    ]);
    expect(problemsOf({ it: column({ acme: [1, 1], globex: [], b: [1.5] }) })).toEqual([
      expect.stringMatching(/^targets\.it\.tenants\.acme: has the same value twice/),
      expect.stringMatching(/^targets\.it\.tenants\.globex: must have a value/),
      expect.stringMatching(/^targets\.it\.tenants\.b\[0\]: must be a string or a whole number/),
    ]);
  });

  it('may not be overwritten', () => {
    const tables = [{ ...TABLE, action: { overwrite: { account: null } } }];
    expect(problemsOf({ it: column({}, { tables }) })).toEqual([
      expect.stringMatching(/tables\[0\]\.action\.overwrite\.account: is the tenant column/),
    ]);
  });

  it('is for tables: statements have parameters', () => {
    const target = statementsTarget({}, { tenancy: null, tenant_column: 'a' });
    expect(problemsOf({ it: target })).toEqual([
      'targets.it.tenant_column: is only for tables; use :controller_id or :tenant in sql',
    ]);
  });

  it('is required for tenants', () => {
    expect(problemsOf({ it: sqlTarget({ tenants: { acme: 1 } }) })).toEqual([
      expect.stringMatching(/^targets\.it\.tenants: is only for tenant_column/),
    ]);
  });
});

describe('hand-written SQL', () => {
  it('tells controllers apart by a parameter in every statement', () => {
    expect(one<'mysql'>(statementsTarget(WITH_PARAMETER, { tenancy: null })).tenancy).toEqual({
      way: 'parameter',
      values: {},
    });
  });

  it('must use the tenant in all of its statements', () => {
    const sql = { ...WITH_PARAMETER, erase: 'DELETE FROM people WHERE mail = :email' };
    expect(problemsOf({ it: statementsTarget(sql, { tenancy: null }) })).toEqual([
      'targets.it.sql: uses :controller_id or :tenant in some statements; use it in every one',
    ]);
  });

  it.each([{ tenancy: 'none' }, { tenancy: null, controllers: ['acme'] }])(
    'may not have a parameter next to %j',
    (fields) => {
      expect(problemsOf({ it: statementsTarget(WITH_PARAMETER, fields) })).toEqual([
        expect.stringMatching(/must say in exactly one way .* and a parameter in sql$/),
      ]);
    },
  );

  it('may not resolve identities if only parameters tell controllers apart', () => {
    const resolve = { table: 't', from: { email: 'a' }, to: { controller_customer_id: 'b' } };
    const target = statementsTarget(WITH_PARAMETER, { tenancy: null, resolve });
    expect(problemsOf({ it: target })).toEqual([
      expect.stringMatching(/^targets\.it\.resolve: is not possible/),
    ]);
  });
});

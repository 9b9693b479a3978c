// A recorded intent is void when tables, keys, match, via, connector or address have changed, and not
// when the mode, caps or what is accepted have.
import { describe, expect, it } from 'vitest';
import {
  httpTarget,
  sqlTarget,
  statementsTarget,
  TABLE,
  useWrittenTargets,
} from './written-targets.ts';

const { one, problemsOf } = useWrittenTargets();
const plan = (target: Record<string, unknown>) => one(target).planDigest;
const place = (target: Record<string, unknown>) => plan(target).split('-')[0];
const ORDERS = { table: 'orders', via: { customers: { customer_id: 'id' } } };

describe('the digest of a plan', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a table is added', { tables: [ORDERS, TABLE] }],
    ['another table is meant', { tables: [{ ...TABLE, table: 'people' }] }],
    ['a key is named', { tables: [{ ...TABLE, key: 'no' }] }],
    ['another column matches', { tables: [{ ...TABLE, match: { email: 'mail' } }] }],
    ['the tenancy is another', { tenancy: null, tenant_column: 'account' }],
    [
      'a table has a tenant column of its own',
      { tables: [{ ...TABLE, tenant_column: 'owner' }], tenancy: null, tenant_column: 'account' },
    ],
  ])('changes if %s, in the same place', (_, fields) => {
    expect(plan(sqlTarget(fields))).not.toBe(plan(sqlTarget()));
    expect(place(sqlTarget(fields))).toBe(place(sqlTarget()));
  });

  it('changes with a reference', () => {
    const orders = (column: string) =>
      sqlTarget({ tables: [{ table: 'orders', via: { customers: { [column]: 'id' } } }, TABLE] });
    expect(plan(orders('customer_id'))).not.toBe(plan(orders('payer_id')));
  });

  it.each<[string, Record<string, unknown>]>([
    ['the database', { url: 'postgres://db.example/other' }],
    ['the server', { url: 'postgres://db2.example/shop' }],
    ['the connector', { connector: 'mysql', url: 'mysql://db.example/shop' }],
  ])('is of another place with %s', (_, fields) => {
    expect(place(sqlTarget(fields))).not.toBe(place(sqlTarget()));
  });

  it('changes with the address of an endpoint', () => {
    expect(place(httpTarget({ url: 'https://crm.example/other' }))).not.toBe(place(httpTarget()));
  });

  it('changes with hand-written statements', () => {
    const other = statementsTarget({ erase: 'DELETE FROM x WHERE m = :email' });
    expect(plan(other)).not.toBe(plan(statementsTarget()));
  });

  it('changes with the account of hand-written statements on PostgreSQL, which decides where names are found', () => {
    const as = (url: string) => ({ ...statementsTarget(), connector: 'postgres', url });
    const [ann, bob] = ['postgres://ann@db.example/shop', 'postgres://bob@db.example/shop'];
    expect(plan(as(bob))).not.toBe(plan(as(ann)));
    expect(plan(as(`${ann}?user=bob`))).toBe(plan(as(bob)));
    expect(place(as(bob))).toBe(place(as(ann)));
  });

  it.each<[string, Record<string, unknown>]>([
    ['the mode', { mode: 'preview' }],
    ['the cap of a request', { max_rows_per_subject: 5 }],
    ['the cap of a day', { max_rows_per_day: 5 }],
    ['the size of batches', { batch_size: 3 }],
    ['what is accepted', { accept: { 'unseen-triggers': 'looked' } }],
    ['the password', { url: 'postgres://user:other@db.example/shop' }],
  ])('does not change with %s', (_, fields) => {
    expect(plan(sqlTarget(fields))).toBe(plan(sqlTarget()));
  });

  it('does not include accepted findings, which the digest of the configuration does', () => {
    const accepting = sqlTarget({ accept: { 'unseen-triggers': 'looked' } });
    expect(one(accepting).digest).not.toBe(one(sqlTarget()).digest);
  });
});

describe('a reference that names one parent column twice', () => {
  it('is refused, with the list to write instead', () => {
    const via = { customers: { user_a: 'id', user_b: 'id' } };
    expect(problemsOf({ it: sqlTarget({ tables: [{ table: 'friends', via }, TABLE] }) })).toEqual([
      expect.stringContaining('[ { user_a: id }, { user_b: id } ]'),
    ]);
  });

  it('is two references as a list', () => {
    const via = { customers: [{ user_a: 'id' }, { user_b: 'id' }] };
    const { work } = one<'postgres'>(sqlTarget({ tables: [{ table: 'friends', via }, TABLE] }));
    expect(work.kind === 'tables' && work.tables[0]?.via).toEqual([
      { parent: 'customers', columns: { user_a: 'id' } },
      { parent: 'customers', columns: { user_b: 'id' } },
    ]);
  });
});

it('a table does not inherit "when_unmatched" of its target', () => {
  const { work, whenUnmatched } = one<'postgres'>(sqlTarget({ when_unmatched: 'skip' }));
  expect(whenUnmatched).toBe('skip');
  expect(work.kind === 'tables' && work.tables[0]?.whenUnmatched).toBe('hold');
});

it.each<[string, unknown]>([
  ['no reason', { 'unseen-triggers': ' ' }],
  ['nothing', { 'unseen-triggers': null }],
])('a finding is not accepted with %s', (_, accept) => {
  expect(problemsOf({ it: sqlTarget({ accept }) })).toEqual([
    expect.stringMatching(/accept\.unseen-triggers/),
  ]);
});

import { describe, expect, it } from 'vitest';
import { isUnique, uniquenessOf } from '../../../../src/connectors/sql/plan/uniqueness.ts';

const PARENT = { primaryKey: ['id'], uniques: [['tenant', 'no'], ['code']] };

describe('columns of a parent', () => {
  it.each([
    ['the primary key', ['id']],
    ['a unique index', ['code']],
    ['more than a unique index', ['region', 'code']],
    ['all columns of a unique index, in any order', ['no', 'tenant']],
  ])('name one row alone: %s', (_, columns) => {
    expect(uniquenessOf(PARENT, columns, null)).toBe('alone');
    expect(uniquenessOf(PARENT, columns, 'tenant')).toBe('alone');
  });

  it('name one row together with the tenant only if it is compared on both sides', () => {
    expect(uniquenessOf(PARENT, ['no'], 'tenant')).toBe('with_tenant');
    expect(uniquenessOf(PARENT, ['no'], null)).toBe('none');
    expect(uniquenessOf(PARENT, ['no'], 'account')).toBe('none');
  });

  it('identify no row if a part of the index is missing, or there is no index', () => {
    expect(uniquenessOf(PARENT, ['email'], 'tenant')).toBe('none');
    expect(isUnique({ primaryKey: ['order_id', 'line'], uniques: [] }, ['order_id'])).toBe(false);
    expect(isUnique({ primaryKey: [], uniques: [] }, ['id'])).toBe(false);
    expect(isUnique({ primaryKey: [], uniques: [[]] }, ['id'])).toBe(false);
  });
});

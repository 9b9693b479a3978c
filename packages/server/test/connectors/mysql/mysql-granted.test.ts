// Grants on a server where upper and lower case are one name, as on Windows and macOS. The answers are made up: a
// server is set up for one of the two ways when it is installed.
import { expect, it } from 'vitest';
import { readGranted } from '../../../src/connectors/mysql/mysql-granted.ts';
import type { Read } from '../../../src/connectors/sql/check/probe.ts';

const answering =
  (folds: number): Read =>
  async (sql) => {
    if (sql.includes('current_user')) return [{ account: 'app@%', current: 'Shop', folds }];
    if (sql.includes('SCHEMA_PRIVILEGES')) return [{ name: 'crm', privilege: 'SELECT' }];
    if (sql.includes('TABLE_PRIVILEGES')) return [{ name: 'shop.orders', privilege: 'TRIGGER' }];
    return [];
  };

it('finds the rights on a table that the plan writes in another case, if the server takes both for one', async () => {
  const granted = await readGranted(answering(1));
  expect(granted.onTable('Shop', 'Orders')).toEqual(['TRIGGER']);
  expect(granted.anywhereIn('CRM')).toEqual(['SELECT']);
  expect(granted.tables.has(granted.keyOf('Shop', 'ORDERS'))).toBe(true);
});

it('tells tables apart by case if the server does', async () => {
  const granted = await readGranted(answering(0));
  expect(granted.onTable('Shop', 'Orders')).toEqual([]);
  expect(granted.onTable('shop', 'orders')).toEqual(['TRIGGER']);
  expect(granted.anywhereIn('CRM')).toEqual([]);
});

it.each([
  ['the name itself before a pattern', { crm_: ['TRIGGER'], crm1: ['SELECT'] }, ['SELECT']],
  ['an escaped name before a pattern', { 'crm%': ['TRIGGER'], 'cr\\m1': ['SELECT'] }, ['SELECT']],
  ['the pattern that is more exact', { 'c%': ['TRIGGER'], 'crm%': ['SELECT'] }, ['SELECT']],
  ['what equal patterns give', { 'c%1': ['TRIGGER', 'SELECT'], 'c%': ['SELECT'] }, ['SELECT']],
  ['the only pattern', { 'c%': ['TRIGGER'], 'x%': ['SELECT'] }, ['TRIGGER']],
])('counts of the grants that fit a database %s, as the server does', async (_, grants, rights) => {
  const granted = await readGranted(async (sql) => {
    if (sql.includes('current_user')) return [{ account: 'app@%', current: 'crm1', folds: 0 }];
    if (!sql.includes('SCHEMA_PRIVILEGES')) return [];
    return Object.entries(grants).flatMap(([name, all]) =>
      all.map((privilege) => ({ name, privilege })),
    );
  });
  expect(granted.anywhereIn('crm1')).toEqual(rights);
});

it('takes no right on the whole server for certain if it may be revoked for a schema, and no name for a pattern', async () => {
  const granted = await readGranted(async (sql) => {
    if (sql.includes('current_user')) return [{ account: 'app@%', current: 'crm1', folds: 0 }];
    if (sql.includes('partial_revokes')) return [{ Variable_name: 'partial_revokes', Value: 'ON' }];
    if (sql.includes('USER_PRIVILEGES')) return [{ name: '', privilege: 'TRIGGER' }];
    return sql.includes('SCHEMA_PRIVILEGES') ? [{ name: 'crm_', privilege: 'SELECT' }] : [];
  });
  expect(granted.anywhereIn('crm1')).toEqual([]);
  expect(granted.anywhereIn('crm_')).toEqual(['SELECT']);
  expect(granted).toMatchObject({ global: ['TRIGGER'], everywhere: [] });
});

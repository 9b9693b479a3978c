// Columns that people are found by, and others that are about them.

import { knows } from '../grammar.ts';
import type { Dice } from './dice.ts';
import { addColumn, type Draft, type TenantPlan } from './schema-draft.ts';

export function addIdentities(dice: Dice, table: Draft, tenants: TenantPlan): void {
  const hasNumber = dice.chance(0.65);
  if (!hasNumber || dice.chance(0.85)) table.emails.push('email');
  if (table.emails.length > 0 && dice.chance(0.12)) table.emails.push('other_email');
  for (const email of table.emails) addColumn(table, email, dice.chance(0.6) ? 'text' : 'folded');
  if (knows('match') && dice.chance(0.2)) addDocument(dice, table, 'email');
  if (knows('overwrite')) addOverwritable(dice, table);
  if (!hasNumber) return;
  table.number = 'no';
  addColumn(
    table,
    'no',
    dice.weighted([
      [5, 'text'],
      [2, 'folded'],
      [4, 'integer'],
      [1, 'bigint'],
      [1, 'decimal'],
      [2, 'uuid'],
    ]),
  );
  const { tenantColumn } = table;
  const kind = dice.weighted([
    [3, 'not'],
    [2, 'alone'],
    [4, 'in tenant'],
  ] as const);
  if (kind === 'alone') table.unique.push({ columns: ['no'], kind: 'plain' });
  if (kind === 'in tenant' && tenants.way === 'column' && tenantColumn !== undefined) {
    table.unique.push({ columns: [tenantColumn, 'no'], kind: 'plain' });
  }
}

const PATHS = [
  ['email'],
  ['contact', 'email'],
  ['e mail'],
  ['emails', '0'],
  ['cc', '*'],
  ['guests', '*', 'email'],
] as const;

/** An email that stands inside JSON, mostly beside a column for it. */
function addDocument(dice: Dice, table: Draft, email: string): void {
  addColumn(table, 'data', 'json');
  table.document = { column: 'data', path: dice.one(PATHS) };
  if (table.emails[0] !== email || !dice.chance(0.4)) return;
  table.emails.length = 0;
  table.columns.splice(0, table.columns.length, ...table.columns.filter(isNotEmail));
}

const isNotEmail = ({ name }: { readonly name: string }) => !name.endsWith('email');

/** Columns that overwriting is harder for than for a text, and emails that must stay unique. */
function addOverwritable(dice: Dice, table: Draft): void {
  if (dice.chance(0.3)) addColumn(table, 'erased_at', 'time');
  if (dice.chance(0.2)) addColumn(table, 'score', 'float');
  const [email] = table.emails;
  if (email === undefined || !dice.chance(0.4)) return;
  const { tenantColumn } = table;
  const columns = tenantColumn === undefined ? [email] : [tenantColumn, email];
  table.unique.push({ columns: dice.chance(0.3) ? [email] : columns, kind: 'plain' });
}

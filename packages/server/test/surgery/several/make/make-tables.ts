// Tables of several targets: one or two in which identities are looked up, and others that are found by what is looked up.
import type { ColumnType, DeclaredTenancy, Reference, UniqueIndex } from '../../generated-case.ts';
import type { Dice } from '../../make/dice.ts';
import type { PlacedTable } from '../several-case.ts';

export const TENANT = 'account';

export interface Plan {
  readonly tenancy: DeclaredTenancy;
  readonly places: number;
  /** What numbers are stored as. */
  readonly number: ColumnType;
  readonly otherNumber: ColumnType;
  /** What one lookup gives is what another one looks up by: an email, a number, and by that another email. */
  readonly isChained: boolean;
  /** Others were erased before: what a lookup reads has the texts that another target writes into it. */
  readonly isUsed: boolean;
}

export function makePlan(dice: Dice): Plan {
  const number = dice.one<ColumnType>(['text', 'text', 'integer', 'bigint', 'folded']);
  const values = { acme: 'acme', globex: 'globex' };
  return {
    tenancy: dice.weighted<DeclaredTenancy>([
      [6, { way: 'column', column: TENANT, values }],
      [3, { way: 'none' }],
      [1, { way: 'controller', controllerId: 'acme' }],
    ]),
    places: dice.chance(0.25) ? 2 : 1,
    number,
    otherNumber: dice.chance(0.75) ? number : dice.one<ColumnType>(['text', 'integer']),
    isChained: dice.chance(0.35),
    isUsed: dice.chance(0.12),
  };
}

interface Parts {
  readonly name: string;
  readonly place: number;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly unique?: readonly (readonly string[])[];
  readonly references?: readonly Reference[];
  readonly hasTenant?: boolean;
}

export function makeTable({ tenancy }: Plan, parts: Parts): PlacedTable {
  const { name, place, columns, unique = [], references = [], hasTenant = true } = parts;
  const isTenant = tenancy.way === 'column' && hasTenant;
  const index = (of: readonly string[]): UniqueIndex => ({
    columns: isTenant ? [TENANT, ...of] : of,
    kind: 'plain',
  });
  return {
    name,
    place,
    references,
    triggers: [],
    primaryKey: ['id'],
    unique: unique.map(index),
    columns: [
      { name: 'id', type: 'integer', notNull: true },
      ...(isTenant ? [{ name: TENANT, type: 'text', notNull: false } as const] : []),
      { name: 'n', type: 'integer', notNull: false },
      { name: 'body', type: 'text', notNull: false },
      ...columns.map(([column, type]) => ({ name: column, type, notNull: false })),
    ],
  };
}

/** One in which identities are looked up: `email`, `no`, and sometimes another email. */
export function makeDirectory(dice: Dice, plan: Plan, name: string, place: number): PlacedTable {
  const email: ColumnType = dice.chance(0.7) ? 'text' : 'folded';
  const unique = dice.weighted<readonly (readonly string[])[]>([
    [5, []],
    [2, [['email']]],
    [3, [['no']]],
    [1, [['email'], ['no']]],
  ]);
  const isBelow = name === 'crm' && dice.chance(0.15);
  const hasOther = (plan.isChained && name === 'erp') || dice.chance(0.2);
  return makeTable(plan, {
    name,
    place,
    unique,
    columns: [
      ['email', email],
      ['no', plan.number],
      ...(hasOther ? ([['other_email', email]] as const) : []),
      ...(isBelow ? ([['account_id', 'integer']] as const) : []),
    ],
    references: isBelow ? [below('accounts', 'account_id', 'CASCADE')] : [],
  });
}

export function below(parent: string, child: string, onDelete: Reference['onDelete']): Reference {
  return { parent, pairs: [{ child, parent: 'id' }], onDelete, isAside: false };
}

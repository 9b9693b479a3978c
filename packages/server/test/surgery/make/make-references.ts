// References between tables: to keys, to what is unique only in a tenant, to what is not unique; double,
// composite, reversed, to itself, in circles; with every action of a foreign key or with none.

import type {
  ColumnType,
  DatabaseName,
  DeleteAction,
  Pair,
  Reference,
  UniqueIndex,
} from '../generated-case.ts';
import { isMysqlLike } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import type { Dice } from './dice.ts';
import { addColumn, type Draft, type TenantPlan } from './schema-draft.ts';

export function addReferences(
  dice: Dice,
  database: DatabaseName,
  table: Draft,
  earlier: readonly Draft[],
  tenants: TenantPlan,
): void {
  const parent = dice.one(earlier);
  if (dice.chance(0.08)) {
    addReversed(dice, table, parent);
    // Beside it, one of the usual kind.
    if (dice.chance(0.3)) addReference(dice, database, table, dice.one(earlier), tenants, '_b');
    return;
  }
  addReference(dice, database, table, parent, tenants, '');
  if (dice.chance(0.2)) {
    const second = dice.chance(0.5) ? parent : dice.one(earlier);
    addReference(dice, database, table, second, tenants, '_b');
  }
  if (dice.chance(0.1)) {
    table.emails.push('email');
    addColumn(table, 'email', dice.chance(0.5) ? 'text' : 'folded');
    if (tenants.way === 'column' && table.tenantColumn === undefined && dice.chance(0.9)) {
      table.tenantColumn = 'account';
      addColumn(table, 'account', tenants.type);
    }
  }
}

export function addReference(
  dice: Dice,
  database: DatabaseName,
  table: Draft,
  parent: Draft,
  tenants: TenantPlan,
  suffix: string,
): void {
  const { columns, isKey } = chooseParentColumns(dice, parent);
  const isMixed = dice.chance(0.12);
  const pairs = columns.map((column): Pair => {
    // A composite reference goes along the tenant's own column, where both have it.
    const isTenant = column === parent.tenantColumn && table.tenantColumn !== undefined;
    if (isTenant && tenants.way === 'column') {
      return { child: table.tenantColumn ?? '', parent: column };
    }
    const child = `${parent.name}_${column}${suffix}`;
    const type = typeIn(parent, column);
    addColumn(table, child, isMixed ? mixedWith(dice, type) : type);
    return { child, parent: column };
  });
  const onDelete = isKey && !isMixed ? chooseAction(dice, database) : null;
  table.references.push({ parent: parent.name, pairs, onDelete, isAside: false });
}

interface ParentColumns {
  readonly columns: readonly string[];
  /** A foreign key may refer to them. */
  readonly isKey: boolean;
}

function chooseParentColumns(
  dice: Dice,
  { primaryKey, unique, tenantColumn, number, emails }: Draft,
): ParentColumns {
  const plain = unique.filter(({ kind }) => kind === 'plain');
  const inTenant = plain.filter((index) => isInTenant(index, tenantColumn));
  const loose = [number, ...emails, 'n'].filter(
    (column) => column !== undefined && !plain.some((index) => index.columns[0] === column),
  ) as string[];
  const key = { columns: primaryKey, isKey: true };
  return dice.weighted<ParentColumns>([
    [primaryKey.length > 0 ? 20 : 0, key],
    ...plain.map((index) => [3, { columns: index.columns, isKey: true }] as const),
    ...inTenant.map((index) => {
      const columns = index.columns.filter((column) => column !== tenantColumn);
      return [4, { columns, isKey: false }] as const;
    }),
    ...loose.map((column) => [0.8, { columns: [column], isKey: false }] as const),
  ]);
}

const isInTenant = ({ columns }: UniqueIndex, tenantColumn: string | undefined) =>
  tenantColumn !== undefined && columns.length > 1 && columns.includes(tenantColumn);

function mixedWith(dice: Dice, type: ColumnType): ColumnType {
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'decimal':
      return dice.one(['text', 'folded', 'bigint', 'decimal'] as const);
    case 'uuid':
      return dice.one(['text', 'folded'] as const);
    case 'text':
    case 'folded':
      return dice.one(['text', 'folded', 'integer'] as const);
    default:
      return type;
  }
}

function chooseAction(dice: Dice, database: DatabaseName): DeleteAction | null {
  return dice.weighted([
    [30, null],
    [15, 'NO ACTION'],
    [8, 'RESTRICT'],
    [20, 'CASCADE'],
    [7, 'SET NULL'],
    // InnoDB knows the words and refuses them.
    [isMysqlLike(database) ? 0 : 3, 'SET DEFAULT'],
  ]);
}

/** A household: the parent's rows say which row of this table is theirs, and several may say the same. */
export function addReversed(dice: Dice, table: Draft, parent: Draft, keys = 0.4): void {
  if (!table.columns.some(({ name }) => name === 'group_no')) {
    addColumn(table, 'group_no', 'integer', true);
    table.unique.push({ columns: ['group_no'], kind: 'plain' });
  }
  const child = `${table.name}_no`;
  addColumn(parent, child, 'integer');
  table.references.push({
    parent: parent.name,
    pairs: [{ child: 'group_no', parent: child }],
    onDelete: null,
    isAside: false,
  });
  if (dice.chance(keys)) {
    parent.references.push({
      parent: table.name,
      pairs: [{ child, parent: 'group_no' }],
      isAside: true,
      onDelete: dice.one(['SET NULL', 'NO ACTION', 'CASCADE'] as const),
    });
  }
}

/** Foreign keys that no configuration names: to the same table, and from a parent back to its child. */
export function addAsideReferences(
  dice: Dice,
  database: DatabaseName,
  tables: readonly Draft[],
): void {
  for (const table of tables) {
    if (dice.chance(knows('shapes') ? 0.15 : 0.05)) addAside(dice, database, table, table, 'self');
    const [reference] = table.references.filter(({ isAside }) => !isAside);
    const parent = tables.find(({ name }) => name === reference?.parent);
    const isCircle = dice.chance(knows('shapes') ? 0.12 : 0.04);
    if (parent !== undefined && isCircle) addAside(dice, database, parent, table, 'last');
  }
}

function addAside(
  dice: Dice,
  database: DatabaseName,
  from: Draft,
  to: Draft,
  prefix: string,
): void {
  if (to.primaryKey.length !== 1) return;
  const pairs = to.primaryKey.map((column): Pair => {
    const child = `${prefix}_${to.name}_${column}`;
    addColumn(from, child, typeIn(to, column));
    return { child, parent: column };
  });
  const onDelete: Reference['onDelete'] = chooseAction(dice, database) ?? 'SET NULL';
  from.references.push({ parent: to.name, pairs, onDelete, isAside: true });
}

function typeIn(table: Draft, column: string): ColumnType {
  const found = table.columns.find(({ name }) => name === column);
  if (found === undefined) throw new Error(`there is no column ${table.name}.${column}`);
  return found.type;
}

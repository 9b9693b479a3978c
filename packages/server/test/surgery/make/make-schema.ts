// Makes up tables. Most of each schema is ordinary, so that most cases get as far as erasing; each oddity
// comes now and then.

import type { DatabaseName } from '../generated-case.ts';
import { isMysqlLike } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import type { Dice } from './dice.ts';
import { addIdentities } from './make-identities.ts';
import { addKinds } from './make-kinds.ts';
import { addAsideReferences, addReferences } from './make-references.ts';
import { addWaysBack, chooseShape } from './make-shapes.ts';
import { addTriggers } from './make-triggers.ts';
import { addColumn, type Draft, type Schema, startDraft, type TenantPlan } from './schema-draft.ts';

const NAMES = ['people', 'orders', 'items', 'notes', 'files', 'loans', 'carts', 'visits'];

export function makeSchema(dice: Dice, database: DatabaseName): Schema {
  const tenants = makeTenants(dice);
  const size = dice.weighted([
    [2, 1],
    [5, 2],
    [6, 3],
    [4, 4],
    [2, 5],
    [1, 6],
    [1, 7],
    [1, 8],
  ]);
  const shape = chooseShape(dice, tenants);
  // A shape with every oddity beside it is mostly held for one of those.
  const isPlain = shape.length > 0 && dice.chance(0.7);
  const tables: Draft[] = [];
  const count = isPlain ? shape.length : Math.max(size, shape.length);
  for (const [at, name] of NAMES.slice(0, count).entries()) {
    const made = shape[at];
    const isRoot = made === undefined ? at === 0 || dice.chance(0.18) : made.isRoot;
    const table = startTable(dice, name, isRoot, tenants, made?.hasTenant);
    if (made !== undefined) made.add(dice, database, table, tables, tenants);
    else if (table.isRoot) addIdentities(dice, table, tenants);
    else if (knows('where') && dice.chance(0.15)) addKinds(dice, table, tables);
    else addReferences(dice, database, table, tables, tenants);
    addKey(dice, table);
    addOddIndexes(dice, database, table);
    tables.push(table);
  }
  addWaysBack(dice, tables);
  if (!isPlain) {
    addAsideReferences(dice, database, tables);
    addTriggers(dice, tables);
  }
  return { tables, tenants, isPlain };
}

function makeTenants(dice: Dice): TenantPlan {
  const way = dice.weighted([
    [13, 'column'],
    [4, 'controller'],
    [3, 'none'],
  ] as const);
  const type = dice.weighted([
    [7, 'text'],
    [2, 'folded'],
    [2, 'integer'],
  ] as const);
  const isList = dice.chance(0.15);
  const values =
    type === 'integer'
      ? { acme: isList ? ['1', '3'] : '1', globex: '2' }
      : { acme: isList ? ['acme', 'more'] : 'acme', globex: 'globex' };
  return { way, type, values };
}

function startTable(
  dice: Dice,
  name: string,
  isRoot: boolean,
  tenants: TenantPlan,
  chance = isRoot ? 0.985 : 0.4,
): Draft {
  const hasTenant = tenants.way === 'column' && dice.chance(chance);
  const tenantColumn = hasTenant ? (dice.chance(0.06) ? 'owner' : 'account') : undefined;
  const table: Draft = { ...startDraft(name, isRoot), tenantColumn };
  if (tenantColumn !== undefined) addColumn(table, tenantColumn, tenants.type);
  addColumn(table, 'n', 'integer');
  addColumn(table, 'body', 'text');
  return table;
}

/** After the references: they may be part of a key. */
function addKey(dice: Dice, table: Draft): void {
  // Another column that could be the key as well: its values are also those of `id`, of other rows.
  if (dice.chance(0.12)) {
    addColumn(table, 'serial', 'integer', true);
    table.unique.push({ columns: ['serial'], kind: 'plain' });
  }
  const style = dice.weighted([
    [12, 'id'],
    [2, 'uuid'],
    [2, 'natural'],
    [1, 'bigint'],
    [3, 'composite'],
    [2, 'unique'],
    [knows('shapes') ? 1.5 : 0, 'same as the parent'],
    [knows('keyless') ? 2 : 0.3, 'none'],
  ]);
  switch (style) {
    case 'id':
    case 'bigint':
    case 'uuid':
      addColumn(table, 'id', style === 'id' ? 'integer' : style, true);
      table.primaryKey.push('id');
      return;
    case 'natural':
      addColumn(table, 'code', dice.chance(0.5) ? 'text' : 'folded', true);
      table.primaryKey.push('code');
      return;
    case 'composite': {
      const first = table.tenantColumn ?? table.references[0]?.pairs[0]?.child;
      // A parent column in the key cannot become NULL.
      const isFree = !table.references.some(({ onDelete }) => onDelete?.startsWith('SET'));
      addColumn(table, 'line', 'integer', true);
      if (first !== undefined && isFree) setNotNull(table, first);
      table.primaryKey.push(...(first !== undefined && isFree ? [first] : []), 'line');
      return;
    }
    // A row that is more about another: it has the other's key.
    case 'same as the parent': {
      const [reference] = table.references;
      const [pair, ...others] = reference?.pairs ?? [];
      const isFree = reference?.onlyWhere === undefined && !reference?.onDelete?.startsWith('SET');
      if (pair === undefined || others.length > 0 || !isFree) {
        addColumn(table, 'id', 'integer', true);
        table.primaryKey.push('id');
        return;
      }
      setNotNull(table, pair.child);
      table.primaryKey.push(pair.child);
      return;
    }
    case 'unique':
      addColumn(table, 'slug', 'text', true);
      table.unique.push({ columns: ['slug'], kind: 'plain' });
      return;
    case 'none':
      addColumn(table, 'slug', 'text');
  }
}

function addOddIndexes(dice: Dice, database: DatabaseName, table: Draft): void {
  if (isMysqlLike(database) || !dice.chance(0.08)) return;
  const isEmail = knows('overwrite') && dice.chance(0.5);
  const column = (isEmail ? table.emails[0] : undefined) ?? table.number ?? table.emails[0];
  const type = table.columns.find(({ name }) => name === column)?.type;
  if (column === undefined || type === undefined) return;
  const isText = type === 'text' || type === 'folded';
  table.unique.push({
    columns: [column],
    kind: isText && dice.chance(0.5) ? 'expression' : 'partial',
  });
}

function setNotNull(table: Draft, column: string): void {
  const at = table.columns.findIndex(({ name }) => name === column);
  const found = table.columns[at];
  if (found !== undefined) table.columns[at] = { ...found, notNull: true };
}

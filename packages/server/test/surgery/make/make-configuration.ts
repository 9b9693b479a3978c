// What an operator might declare for a schema: mostly right, now and then with something left out.

import type { Configuration, DeclaredTable, DeclaredTenancy, Table } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import type { Dice } from './dice.ts';
import { declareTable, tenantByOf } from './make-entries.ts';
import { otherProperties } from './make-properties.ts';
import { resolveOf } from './make-resolve.ts';
import { orderEntries } from './order-entries.ts';
import type { Draft, Schema } from './schema-draft.ts';

export function makeConfiguration(dice: Dice, schema: Schema): Configuration {
  const made: DeclaredTable[] = [];
  const leads = schema.tables.filter(({ isLead }) => isLead);
  for (const table of schema.tables.filter(({ isLead }) => !isLead)) {
    const isLeft = !table.isRoot && dice.chance(table.references.length > 0 ? 0.15 : 1);
    if (!isLeft) made.push(...declareTable(dice, schema, table, made));
  }
  for (const table of schema.tables) made.push(...otherProperties(dice, schema, table, made));
  // Children were made after their parents, and are erased before them.
  made.reverse();
  if (dice.chance(0.05)) made.reverse();
  const tables = dice.chance(0.9) ? orderEntries(schema, made) : made;
  const names = [...tables, ...leads.map(({ name }) => ({ table: name }))].map(
    ({ table }) => table,
  );
  const undeclared = schema.tables.filter(({ name }) => !names.includes(name));
  const detach = knows('detach') ? detachedOf(dice, schema, tables) : [];
  const isDetached = ({ name }: Draft) => detach.some((column) => column.startsWith(`${name}.`));
  return {
    tenancy: tenancyOf(schema),
    tables,
    leads: leads
      .map((table) => ({
        table: table.name,
        tenantColumn: table.tenantColumn === 'owner' ? 'owner' : null,
        tenantBy: tenantByOf(table),
      }))
      .filter(({ table }) =>
        isMeantBy(table, [...tables, ...leads.map((one) => ({ tenantBy: tenantByOf(one) }))]),
      ),
    cascades: dice.chance(0.85)
      ? undeclared
          .filter((table) => isChangedByKeys(table) && !isDetached(table))
          .map(({ name }) => name)
      : [],
    detach,
    triggers: schema.tables
      .flatMap(({ triggers }) => triggers)
      .filter(() => dice.chance(0.85))
      .map(({ name }) => name),
    mode: dice.chance(0.03) ? 'preview' : 'erase',
    whenUnmatched: dice.chance(0.3) ? 'skip' : 'hold',
    maxRowsPerDay: dice.chance(0.05) ? 1 + dice.upTo(5) : null,
    resolve: resolveOf(dice, schema),
  };
}

const isMeantBy = (name: string, tables: readonly Pick<DeclaredTable, 'tenantBy'>[]) =>
  tables.some(({ tenantBy }) => tenantBy.some(({ parent }) => parent === name));

const isChangedByKeys = ({ references }: Pick<Table, 'references'>) =>
  references.some(({ onDelete }) => onDelete === 'CASCADE' || onDelete?.startsWith('SET'));

/** References to rows that are deleted, from rows that may be others'. */
function detachedOf(dice: Dice, schema: Schema, declared: readonly DeclaredTable[]): string[] {
  const isDeleted = (name: string) =>
    declared.some(({ table, action }) => table === name && action === 'delete');
  return schema.tables.flatMap(({ name, references, primaryKey, columns }) => {
    const isListed = declared.some(({ table }) => table === name);
    return references.flatMap(({ parent, pairs, onDelete, isAside }) => {
      const [pair, ...others] = pairs;
      if (pair === undefined || others.length > 0 || onDelete === null) return [];
      if (!isDeleted(parent) || primaryKey.includes(pair.child)) return [];
      if (columns.some((column) => column.name === pair.child && column.notNull)) return [];
      return dice.chance(isAside || !isListed ? 0.7 : 0.15) ? [`${name}.${pair.child}`] : [];
    });
  });
}

function tenancyOf({ tenants }: Schema): DeclaredTenancy {
  if (tenants.way === 'controller') return { way: 'controller', controllerId: 'acme' };
  if (tenants.way === 'none') return { way: 'none' };
  return { way: 'column', column: 'account', values: tenants.values };
}

/** The operator edits the file between two tries. */
export function changeConfiguration(
  dice: Dice,
  schema: Schema,
  from: Configuration,
): Configuration {
  const at = dice.upTo(Math.max(0, from.tables.length - 1));
  const chosen = from.tables[at];
  if (chosen === undefined) return from;
  const draft = schema.tables.find(({ name }) => name === chosen.table);
  const replaced = (changes: Partial<DeclaredTable>): Configuration => ({
    ...from,
    tables: from.tables.map((one) => (one === chosen ? { ...one, ...changes } : one)),
  });
  switch (dice.one(['remove', 'key', 'match', 'action', 'mode', 'again'] as const)) {
    case 'remove':
      return withoutTable(from, chosen.table);
    case 'key':
      if (chosen.key === null) return replaced({ key: otherKey(dice, draft) });
      return draft?.primaryKey.length === 0 ? from : replaced({ key: null });
    case 'match': {
      const { email, ...others } = chosen.match;
      const isFound = Object.keys(others).length > 0 || chosen.via.length > 0;
      return isFound && email !== undefined ? replaced({ match: others }) : from;
    }
    case 'action':
      return replaced({
        action: dice.one(['delete', 'retain', { overwrite: { body: null } }] as const),
      });
    case 'mode':
      return { ...from, mode: from.mode === 'erase' ? 'preview' : 'erase' };
    case 'again':
      return makeConfiguration(dice, schema);
  }
}

/** Any column that looks like one: an operator may be wrong about what is unique. */
function otherKey(dice: Dice, draft: Draft | undefined): readonly string[] | null {
  const candidates = draft?.columns.filter(
    ({ name, notNull }) =>
      (notNull || dice.chance(0.2)) &&
      (draft.unique.some((index) => index.columns.includes(name)) || name === draft.number),
  );
  return candidates !== undefined && candidates.length > 0 ? [dice.one(candidates).name] : null;
}

/** And without what is reached only through it. */
export function withoutTable(from: Configuration, name: string): Configuration {
  const tables = from.tables
    .filter(({ table }) => table !== name)
    .map((one) => ({ ...one, via: one.via.filter(({ parent }) => parent !== name) }))
    .map((one) => ({ ...one, tenantBy: one.tenantBy.filter(({ parent }) => parent !== name) }));
  const leads = from.leads
    .filter(({ table }) => table !== name && isMeantBy(table, [...tables, ...from.leads]))
    .map((one) => ({ ...one, tenantBy: one.tenantBy.filter(({ parent }) => parent !== name) }));
  const lost = tables.find(({ match, via }) => Object.keys(match).length === 0 && via.length === 0);
  const left = { ...from, tables, leads };
  return lost === undefined ? left : withoutTable(left, lost.table);
}

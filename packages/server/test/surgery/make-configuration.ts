// What an operator might declare for a schema: mostly right, now and then with something left out.
import type { Dice } from './dice.ts';
import type {
  Configuration,
  DeclaredTable,
  DeclaredTenancy,
  Overwritten,
  Table,
} from './generated-case.ts';
import type { Draft, Schema } from './schema-draft.ts';

export function makeConfiguration(dice: Dice, schema: Schema): Configuration {
  const tables: DeclaredTable[] = [];
  for (const table of schema.tables) {
    const isLeft = !table.isRoot && dice.chance(table.references.length > 0 ? 0.15 : 1);
    const declared = isLeft ? undefined : declareTable(dice, table, tables);
    if (declared !== undefined) tables.push(declared);
  }
  // Children were made after their parents, and are erased before them.
  tables.reverse();
  if (dice.chance(0.05)) tables.reverse();
  const names = tables.map(({ table }) => table);
  const undeclared = schema.tables.filter(({ name }) => !names.includes(name));
  return {
    tenancy: tenancyOf(schema),
    tables,
    cascades: dice.chance(0.85) ? undeclared.filter(isChangedByKeys).map(({ name }) => name) : [],
    triggers: schema.tables
      .flatMap(({ triggers }) => triggers)
      .filter(() => dice.chance(0.85))
      .map(({ name }) => name),
    mode: dice.chance(0.03) ? 'preview' : 'erase',
    whenUnmatched: dice.chance(0.3) ? 'skip' : 'hold',
    maxRowsPerDay: dice.chance(0.05) ? 1 + dice.upTo(5) : null,
  };
}

function declareTable(
  dice: Dice,
  table: Draft,
  earlier: readonly DeclaredTable[],
): DeclaredTable | undefined {
  const match = matchOf(dice, table);
  const via = table.references
    .filter(({ isAside, parent }) => !isAside && earlier.some((one) => one.table === parent))
    .filter((_, index) => index === 0 || dice.chance(0.85))
    .map(({ parent, pairs }) => ({ parent, pairs }));
  if (Object.keys(match).length === 0 && via.length === 0) return undefined;
  return {
    table: table.name,
    key: keyOf(dice, table),
    match,
    via,
    action: actionOf(dice, table),
    shared: sharedOf(dice, table),
    whenUnmatched: dice.chance(0.6) ? 'skip' : 'hold',
    tenantColumn: table.tenantColumn === 'owner' && dice.chance(0.97) ? 'owner' : null,
  };
}

/** Rows that are kept and refer to others by a foreign key keep those from going: mostly refused. */
function sharedOf(dice: Dice, { references }: Draft): DeclaredTable['shared'] {
  const isTied = references.some(({ onDelete }) => onDelete !== null);
  return dice.weighted([
    [4, 'hold'],
    [2, 'erase'],
    [isTied ? 0.2 : 2, 'keep'],
  ] as const);
}

function matchOf(dice: Dice, { emails, number, isRoot }: Draft): DeclaredTable['match'] {
  const columns = emails.filter((_, index) => index === 0 || dice.chance(0.8));
  const hasNumber = number !== undefined && (emails.length === 0 || dice.chance(0.9));
  if (!isRoot && dice.chance(0.2)) return {};
  return {
    ...(columns.length > 0 && { email: columns }),
    ...(hasNumber && { controller_customer_id: [number] }),
  };
}

/** Given where there is no primary key, and sometimes in its place. */
function keyOf(dice: Dice, { primaryKey, unique, columns }: Draft): readonly string[] | null {
  const isNotNull = (name: string) => columns.some((one) => one.name === name && one.notNull);
  const keys = unique.filter((index) => index.kind === 'plain' && index.columns.every(isNotNull));
  const [other] = keys;
  if (other === undefined) return null;
  return dice.chance(primaryKey.length === 0 ? 0.97 : 0.3) ? other.columns : null;
}

function actionOf(dice: Dice, { columns, emails, unique }: Draft): DeclaredTable['action'] {
  if (dice.chance(0.08)) return 'retain';
  if (!dice.chance(0.15)) return 'delete';
  const isInIndex = (name: string) => unique.some((index) => index.columns.includes(name));
  const free = emails.filter((name) => !isInIndex(name) && isThere(columns, name));
  const body = dice.one<Overwritten>([null, 'erased', { hash: true }]);
  const others = free.filter(() => dice.chance(0.5));
  return { overwrite: { body, ...Object.fromEntries(others.map((name) => [name, null])) } };
}

const isThere = (columns: Draft['columns'], name: string) =>
  columns.some((column) => column.name === name && !column.notNull);

const isChangedByKeys = ({ references }: Pick<Table, 'references'>) =>
  references.some(({ onDelete }) => onDelete === 'CASCADE' || onDelete?.startsWith('SET'));

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
    .map((one) => ({ ...one, via: one.via.filter(({ parent }) => parent !== name) }));
  const lost = tables.find(({ match, via }) => Object.keys(match).length === 0 && via.length === 0);
  const left = { ...from, tables };
  return lost === undefined ? left : withoutTable(left, lost.table);
}

// Which target erases which tables, by what, and in which of them identities are looked up.
import type { IdentityType } from '@unwrite/protocol';
import type { Configuration, DeclaredTable, Lookup, Where } from '../../generated-case.ts';
import type { Dice } from '../../make/dice.ts';
import type { PlacedTable, SeveralTarget } from '../several-case.ts';
import { below, makeDirectory, makeTable, type Plan } from './make-tables.ts';

export interface Made {
  readonly tables: readonly PlacedTable[];
  readonly targets: readonly SeveralTarget[];
}

interface Draft {
  readonly name: string;
  readonly place: number;
  readonly tables: DeclaredTable[];
  readonly cascades: string[];
  readonly after: string[];
  resolve: Lookup | null;
}

const NAMES = ['one', 'two', 'three'];
/** What every erased row gets: nobody's identity. */
export const PLACEHOLDER = 'erased@x.invalid';
export const NUMBER_PLACEHOLDER = 999;

export function makeTargets(dice: Dice, plan: Plan): Made {
  const drafts = NAMES.slice(0, dice.chance(0.55) ? 2 : 3).map(
    (name): Draft => ({
      name,
      place: dice.upTo(plan.places - 1),
      resolve: null,
      tables: [],
      cascades: [],
      after: [],
    }),
  );
  const tables: PlacedTable[] = [];
  const source = dice.one(drafts);
  const crm = makeDirectory(dice, plan, 'crm', source.place);
  addAccounts(plan, crm, tables);
  tables.push(crm);
  source.resolve = plan.isChained ? FIRST : lookupIn(dice, crm, dice.chance(0.75));
  declareDirectory(dice, plan, crm, source, drafts);
  if (plan.isChained) addChained(dice, plan, source, drafts, tables);
  else if (dice.chance(0.4)) addSecondLookup(dice, plan, crm, source, drafts, tables);
  if (crm.references.length > 0) declareAccounts(dice, crm, drafts);
  for (const kind of ['orders', 'letters', 'visits'] as const) {
    if (dice.chance(kind === 'visits' ? 0.4 : 0.75))
      addTable(dice, plan, kind, dice.one(drafts), tables);
  }
  for (const [at, draft] of drafts.entries()) {
    if (draft.tables.length === 0) addTable(dice, plan, `extra_${at}`, draft, tables);
    const others = drafts.filter((one) => one !== draft);
    if (dice.chance(0.08)) draft.after.push(dice.one(others).name);
  }
  return { tables, targets: drafts.map((draft) => toTarget(dice, plan, draft, tables)) };
}

function toTarget(
  dice: Dice,
  { tenancy }: Plan,
  draft: Draft,
  all: readonly PlacedTable[],
): SeveralTarget {
  const { name, place, tables, cascades, after, resolve } = draft;
  const isByHand = canBeWritten(draft, all) && dice.chance(0.3);
  const configuration: Configuration = {
    tenancy,
    cascades,
    leads: [],
    detach: [],
    triggers: [],
    mode: 'erase',
    resolve,
    whenUnmatched: dice.chance(0.5) ? 'skip' : 'hold',
    maxRowsPerDay: null,
    tables: tables.map((entry) => (isByHand ? { ...entry, whenUnmatched: 'skip' } : entry)),
  };
  return { name, place, configuration, after, isByHand };
}

/** By statements that find just what `tables` would: one table, and one column with a text. */
function canBeWritten({ tables, cascades, resolve }: Draft, all: readonly PlacedTable[]): boolean {
  const [entry, ...others] = tables;
  if (entry === undefined || others.length + cascades.length > 0 || resolve !== null) return false;
  const [columns = [], ...types] = Object.values(entry.match);
  const [first, ...more] = columns;
  const table = all.find(({ name }) => name === entry.table);
  const isText = table?.columns.some(
    ({ name, type }) => name === first?.column && (type === 'text' || name === 'email'),
  );
  const isPlain = types.length + more.length + Object.keys(entry.where).length === 0;
  return isText === true && isPlain && entry.action === 'delete';
}

const hasColumn = ({ columns }: PlacedTable, name: string) =>
  columns.some((column) => column.name === name);

function lookupIn(dice: Dice, table: PlacedTable, isToNumber: boolean): Lookup {
  const email = { type: 'email', column: 'email' } as const;
  const no = { type: 'controller_customer_id', column: 'no' } as const;
  const where: Where = dice.chance(0.12) ? { n: { values: [0, 1], isNot: false } } : {};
  if (hasColumn(table, 'other_email') && dice.chance(0.4)) {
    return { table: table.name, where, from: email, to: { type: 'email', column: 'other_email' } };
  }
  const [from, to] = isToNumber ? [email, no] : [no, email];
  return { table: table.name, where, from, to };
}

/** The table of a lookup is erased by the target that looks up, by another, by two of them, or kept. */
function declareDirectory(
  dice: Dice,
  { isUsed }: Plan,
  table: PlacedTable,
  source: Draft,
  drafts: readonly Draft[],
): void {
  const beside = drafts.filter((one) => one !== source && one.place === table.place);
  const who = dice.weighted([
    [isUsed ? 0 : 11, 'itself'],
    [5, 'another'],
    [2, 'both'],
    [isUsed ? 0 : 4, 'nobody'],
  ] as const);
  if (who === 'nobody' || (who !== 'itself' && beside.length === 0)) return;
  const isFree = (column: string) => !table.unique.some(({ columns }) => columns.includes(column));
  const entry = declare(dice, table.name, matchOfDirectory(dice, table), {
    action: dice.weighted<DeclaredTable['action']>([
      [isUsed ? 1 : 8, 'delete'],
      [1, 'retain'],
      [1, { overwrite: { body: null } }],
      [1, { overwrite: { body: null, email: null } }],
      [1, { overwrite: { body: null, no: null } }],
      [isFree('email') ? (isUsed ? 8 : 1) : 0, { overwrite: { body: null, email: PLACEHOLDER } }],
      [isFree('no') ? (isUsed ? 8 : 1) : 0, { overwrite: { body: null, no: NUMBER_PLACEHOLDER } }],
    ]),
  });
  if (who === 'itself') source.tables.push(entry);
  else if (who === 'another') dice.one(beside).tables.push(entry);
  else {
    source.tables.push({ ...entry, where: { n: { values: [0], isNot: false } } });
    dice.one(beside).tables.push({ ...entry, where: { n: { values: [1, 2], isNot: false } } });
  }
}

function matchOfDirectory(dice: Dice, table: PlacedTable): Partial<Record<IdentityType, string[]>> {
  const emails = hasColumn(table, 'other_email') ? ['email', 'other_email'] : ['email'];
  const email = dice.chance(0.7) ? emails : ['email'];
  return dice.weighted<Partial<Record<IdentityType, string[]>>>([
    [5, { email }],
    [3, { email, controller_customer_id: ['no'] }],
    [2, { controller_customer_id: ['no'] }],
  ]);
}

export function declare(
  dice: Dice,
  table: string,
  match: Partial<Record<IdentityType, readonly string[]>>,
  changes: Partial<DeclaredTable> = {},
): DeclaredTable {
  const columns = Object.entries(match).map(([type, names]) => [
    type,
    names.map((column) => ({ column, path: null, trim: false })),
  ]);
  return {
    table,
    where: {},
    key: null,
    match: Object.fromEntries(columns),
    via: [],
    action: 'delete',
    tenantColumn: null,
    tenantBy: [],
    isOfAllTenants: false,
    shared: dice.weighted([
      [3, 'hold'],
      [2, 'erase'],
    ] as const),
    whenUnmatched: dice.chance(0.7) ? 'skip' : 'hold',
    ...changes,
  };
}

/** The other way round, by another column, or in another table; by another target or, of another table, never by the same. */
function addSecondLookup(
  dice: Dice,
  plan: Plan,
  crm: PlacedTable,
  source: Draft,
  drafts: readonly Draft[],
  tables: PlacedTable[],
): void {
  const other = dice.one(drafts.filter((one) => one !== source));
  const isToNumber = dice.chance(source.resolve?.to.type === 'email' ? 0.7 : 0.3);
  if (other.place === crm.place && dice.chance(0.3)) {
    other.resolve = lookupIn(dice, crm, isToNumber);
    return;
  }
  const erp = makeDirectory(dice, plan, 'erp', other.place);
  tables.push(erp);
  other.resolve = lookupIn(dice, erp, isToNumber);
  declareDirectory(dice, plan, erp, other, drafts);
}

const FIRST: Lookup = {
  table: 'crm',
  where: {},
  from: { type: 'email', column: 'email' },
  to: { type: 'controller_customer_id', column: 'no' },
};

/** By what the first lookup gives. */
function addChained(
  dice: Dice,
  plan: Plan,
  source: Draft,
  drafts: readonly Draft[],
  tables: PlacedTable[],
): void {
  const other = dice.one(drafts.filter((one) => one !== source));
  const erp = makeDirectory(dice, plan, 'erp', other.place);
  tables.push(erp);
  other.resolve = {
    table: 'erp',
    where: {},
    from: FIRST.to,
    to: { type: 'email', column: 'other_email' },
  };
  declareDirectory(dice, plan, erp, other, drafts);
}

/** What the rows of the lookup go with. */
function addAccounts(plan: Plan, { references, place }: PlacedTable, tables: PlacedTable[]): void {
  if (references.length === 0) return;
  tables.push(makeTable(plan, { name: 'accounts', place, columns: [['email', 'text']] }));
}

/** After the rows that refer to them. */
function declareAccounts(dice: Dice, { place, name }: PlacedTable, drafts: readonly Draft[]): void {
  const target = dice.one(drafts.filter((one) => one.place === place));
  const isListed = target.tables.some(({ table }) => table === name);
  target.tables.push(declare(dice, 'accounts', { email: ['email'] }));
  if (!isListed) target.cascades.push(name);
}

function addTable(
  dice: Dice,
  plan: Plan,
  name: string,
  target: Draft,
  tables: PlacedTable[],
): void {
  const { place } = target;
  const isByNumber = name === 'orders' || name === 'visits' || dice.chance(0.5);
  const isByEmail = !isByNumber || name === 'visits';
  const columns = [
    ...(isByNumber ? ([['customer', plan.otherNumber]] as const) : []),
    ...(isByEmail ? ([['email', 'text']] as const) : []),
  ];
  tables.push(makeTable(plan, { name, place, columns }));
  const match = {
    ...(isByNumber && { controller_customer_id: ['customer'] }),
    ...(isByEmail && { email: ['email'] }),
  };
  const action = dice.weighted<DeclaredTable['action']>([
    [10, 'delete'],
    [1, 'retain'],
    [2, { overwrite: { body: null } }],
    [isByEmail ? 1 : 0, { overwrite: { body: null, email: PLACEHOLDER } }],
    [isByNumber ? 1 : 0, { overwrite: { body: null, customer: NUMBER_PLACEHOLDER } }],
  ]);
  if (name === 'orders' && dice.chance(0.5)) addLines(dice, plan, target, tables);
  target.tables.push(declare(dice, name, match, { action }));
}

/** What belongs to orders: listed, and so erased, before them. */
function addLines(dice: Dice, plan: Plan, target: Draft, tables: PlacedTable[]): void {
  const onDelete = dice.one([null, 'NO ACTION', 'CASCADE'] as const);
  const reference = below('orders', 'order_id', onDelete);
  tables.push(
    makeTable(plan, {
      name: 'items',
      place: target.place,
      columns: [['order_id', 'integer']],
      references: [reference],
      hasTenant: dice.chance(0.4),
    }),
  );
  const via = [{ parent: 'orders', pairs: reference.pairs }];
  target.tables.push(declare(dice, 'items', {}, { via }));
}

// What happens between and during the tries of a batch: the shop's staff at work, a worker that dies, a pause,
// a lock, another configuration.

import type {
  Change,
  Configuration,
  DatabaseName,
  Interruption,
  Row,
  Table,
  Try,
} from '../generated-case.ts';
import { LATE, QUIET } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import type { Dice } from './dice.ts';
import { type MadeRows, PEOPLE, type Person, type RowMaker } from './make-data.ts';
import type { Draft, Schema } from './schema-draft.ts';

export function makeTries(
  dice: Dice,
  database: DatabaseName,
  schema: Schema,
  rows: MadeRows,
  maker: RowMaker,
  configurations: readonly Configuration[],
  wanted: readonly Person[],
): Try[] {
  const tries = dice.weighted([
    [4, 0],
    [4, 1],
    [2, 2],
    [1, 3],
  ] as const);
  const count = configurations[0]?.resolve ? Math.max(1, tries) : tries;
  const change = () => makeChanges(dice, schema, rows, maker, wanted);
  /** What only the second look can find: mostly the person again. */
  const comeAgain = (): Change[] => {
    const roots = schema.tables.filter(({ isRoot }) => isRoot);
    if (!dice.chance(0.6)) return change();
    const table = dice.one(roots);
    const person = dice.one(wanted);
    const { row } = maker.make(table, person, rows);
    const isBlank = knows('match') && dice.chance(0.4);
    const blank = isBlank ? table.emails.map((column) => [column, ` ${person.email} `]) : [];
    return [{ does: 'insert', table: table.name, row: { ...row, ...Object.fromEntries(blank) } }];
  };
  const lookUpOtherwise = () => changeLookedUp(dice, configurations[0], rows, wanted);
  const changesBetween = () => {
    const looked = lookUpOtherwise();
    if (looked.length > 0) return looked;
    if (dice.chance(0.25)) return change();
    return dice.chance(0.1) ? addTable(dice, schema, rows, wanted) : [];
  };
  return Array.from({ length: count }, (_, index): Try => {
    const isDuring = database !== 'sqlite' && dice.chance(0.12);
    const isAfter = dice.chance(0.1);
    return {
      ...QUIET,
      configuration: Math.min(index, configurations.length - 1),
      changesBefore: index > 0 && dice.chance(0.6) ? [...lookUpOtherwise(), ...change()] : [],
      changesLookedUp: index === 0 ? lookUpOtherwise() : [],
      changesBetween: changesBetween(),
      changesDuring: isDuring ? change().filter(({ does }) => does !== 'insert') : [],
      changesAfter: isAfter ? comeAgain() : [],
      interruption: isDuring || isAfter ? 'none' : interruptionOf(dice),
      isReleased: dice.chance(0.3),
    };
  });
}

function interruptionOf(dice: Dice): Interruption {
  return dice.weighted([
    [8, 'none'],
    [4, 'killed after the intent'],
    [4, 'killed before erasing'],
    [5, 'killed after erasing'],
    [2, 'killed after verifying'],
    // A lock costs a second: no shorter time-out can be configured.
    [4, 'paused after the preview'],
    [0.15, 'locked'],
  ]);
}

/** The person gets another identity, hers becomes another's, is removed, or goes with its row. */
function changeLookedUp(
  dice: Dice,
  configuration: Configuration | undefined,
  rows: MadeRows,
  wanted: readonly Person[],
): Change[] {
  const resolve = configuration?.resolve ?? null;
  if (resolve === null || !dice.chance(0.35)) return [];
  const all = rows[resolve.table] ?? [];
  const theirs = all.filter(({ person }) => wanted.includes(person));
  if (theirs.length === 0) return [];
  const { row } = dice.one(theirs);
  const { column } = dice.one([resolve.from, resolve.to]);
  const rid = row.rid ?? '';
  if (dice.chance(0.15)) return [{ does: 'delete', table: resolve.table, rid }];
  const value = dice.chance(0.2) ? null : (dice.one(all).row[column] ?? null);
  return [{ does: 'update', table: resolve.table, rid, values: { [column]: value } }];
}

/** Somebody adds a table whose rows go with a row of another. */
function addTable(
  dice: Dice,
  { tables }: Schema,
  rows: MadeRows,
  wanted: readonly Person[],
): Change[] {
  const table = dice.one(tables.filter(({ isRoot }) => isRoot || dice.chance(0.5)));
  const [key, ...others] = table.primaryKey;
  const above = rows[table.name]?.find(({ person }) => wanted.includes(person));
  const type = table.columns.find(({ name }) => name === key)?.type;
  if (key === undefined || type === undefined || others.length > 0 || above === undefined)
    return [];
  const child = 'late_of';
  const made: Table = {
    name: LATE,
    primaryKey: ['id'],
    unique: [],
    triggers: [],
    columns: [
      { name: 'id', type: 'integer', notNull: true },
      { name: child, type, notNull: false },
    ],
    references: [
      {
        parent: table.name,
        pairs: [{ child, parent: key }],
        isAside: true,
        onDelete: 'CASCADE',
      },
    ],
  };
  const rid = `${above.row.rid}000`;
  const row = { rid, id: '1', [child]: above.row[key] ?? null };
  return [{ does: 'create', table: LATE, made, row }];
}

function makeChanges(
  dice: Dice,
  schema: Schema,
  rows: MadeRows,
  maker: RowMaker,
  wanted: readonly Person[],
): Change[] {
  const table = dice.one(schema.tables);
  const there = rows[table.name] ?? [];
  const kind = dice.one(['move', 'reassign', 'add', 'delete', 'reuse', 'rename'] as const);
  if (there.length === 0 || kind === 'add') {
    const { row } = maker.make(table, dice.one(PEOPLE), rows);
    return [{ does: 'insert', table: table.name, row }];
  }
  // Mostly where it matters: rows of the people whom the requests are about.
  const theirs = there.filter((one) => wanted.includes(one.person));
  const { row, person } = dice.one(theirs.length > 0 && dice.chance(0.7) ? theirs : there);
  const rid = row.rid ?? '';
  const other = maker.make(table, dice.one(PEOPLE.filter((one) => one !== person)), rows).row;
  const update = (values: Row): Change[] =>
    Object.keys(values).length === 0 ? [] : [{ does: 'update', table: table.name, rid, values }];
  switch (kind) {
    // To another person's parents; the tenant's column stays as it is, or goes with them.
    case 'move':
      return update(only(other, referringColumns(table)));
    case 'reassign':
      return update(only(other, [...referringColumns(table), ...ownColumns(table)]));
    case 'rename':
      return update(only(other, table.emails));
    case 'delete':
      return [{ does: 'delete', table: table.name, rid }];
    case 'reuse': {
      const again = { ...other, ...only(row, table.primaryKey) };
      return [
        { does: 'delete', table: table.name, rid },
        { does: 'insert', table: table.name, row: again },
      ];
    }
  }
}

const referringColumns = ({ references, tenantColumn }: Draft) =>
  references
    .flatMap(({ pairs, onlyWhere }) => [
      ...pairs.map(({ child }) => child),
      ...(onlyWhere === undefined ? [] : [onlyWhere.column]),
    ])
    .filter((column) => column !== tenantColumn);

const ownColumns = ({ tenantColumn, emails, number, document }: Draft) =>
  [tenantColumn, number, document?.column, ...emails].filter((column) => column !== undefined);

const only = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

// Shapes that chance alone would seldom make whole: each fixes the first tables of a schema, and leaves their keys,
// types, actions and rows to chance.
import type { DatabaseName } from '../generated-case.ts';
import { knows } from '../grammar.ts';
import type { Dice } from './dice.ts';
import { addIdentities } from './make-identities.ts';
import { addKinds } from './make-kinds.ts';
import { addReference, addReversed } from './make-references.ts';
import { addColumn, type Draft, PROPERTY, type TenantPlan } from './schema-draft.ts';

interface Made {
  readonly isRoot: boolean;
  /** How often it has the tenant column, where it is not as often as usual. */
  readonly hasTenant?: number;
  add(
    dice: Dice,
    database: DatabaseName,
    table: Draft,
    earlier: readonly Draft[],
    tenants: TenantPlan,
  ): void;
}

/** The first tables of a schema, parents first; none where everything is left to chance. */
export function chooseShape(dice: Dice, tenants: TenantPlan): readonly Made[] {
  return dice.weighted<readonly Made[]>([
    [14, []],
    [4, KEPT],
    [knows('where') ? 2 : 0, PROPERTIES],
    [1, BOXES],
    [knows('where') ? 2 : 0, ATTACHMENTS],
    [tenants.way === 'column' ? 1.5 : 0, GLOBAL],
    [tenants.way === 'column' ? 4 : 0, dice.one([LED, LED_FAR, LED_BY_TWO])],
  ]);
}

const person: Made = {
  isRoot: true,
  add: (dice, _, table, __, tenants) => addIdentities(dice, table, tenants),
};

/** Of a person, and of another. */
const ofTwo: Made = {
  isRoot: false,
  add(dice, database, table, [first], tenants) {
    if (first === undefined) return;
    addReference(dice, database, table, first, tenants, '');
    addReference(dice, database, table, first, tenants, '_b');
    table.isShared = true;
    // What is kept must not refer to what goes by a foreign key.
    if (dice.chance(0.9))
      for (const [at, one] of table.references.entries())
        table.references[at] = { ...one, onDelete: null };
  },
};

/** What rows of the last table refer to, in a column of theirs. */
const behindLast: Made = {
  isRoot: false,
  add(dice, _, table, earlier) {
    const last = earlier.at(-1);
    if (last !== undefined) addReversed(dice, table, last, 0.15);
    table.isShared = dice.chance(0.8);
  },
};

const belowLast: Made = {
  isRoot: false,
  add(dice, database, table, earlier, tenants) {
    const last = earlier.at(-1);
    if (last !== undefined) addReference(dice, database, table, last, tenants, '');
  },
};

/** Documents that two people own, the files that documents have, and what belongs to the files. */
const KEPT = [person, ofTwo, behindLast, belowLast];

/** Attachments of people and of what they have, and the files that attachments refer to. */
const ATTACHMENTS: readonly Made[] = [
  person,
  belowLast,
  {
    isRoot: false,
    add(dice, _, table, earlier) {
      addKinds(dice, table, earlier);
    },
  },
  behindLast,
];

/** Boxes of which nothing tells the tenant, and messages that have one, of a person and in a box. */
const BOXES: readonly Made[] = [
  person,
  { ...behindLast, hasTenant: 0.1 },
  {
    isRoot: false,
    hasTenant: 0.9,
    add(dice, database, table, earlier, tenants) {
      for (const [at, parent] of earlier.entries())
        addReference(dice, database, table, parent, tenants, at === 0 ? '' : '_b');
      table.isShared = dice.chance(0.5);
    },
  },
];

/** Properties of users, one of which is the email: it leads to the user, who leads to the others. */
const PROPERTIES: readonly Made[] = [
  {
    isRoot: true,
    add(dice, _, table) {
      addColumn(table, PROPERTY.column, dice.chance(0.8) ? 'text' : 'folded');
      addColumn(table, 'value', 'text');
      table.emails.push('value');
      addColumn(table, 'uid', 'integer');
      if (dice.chance(0.3)) table.number = 'uid';
    },
  },
  {
    isRoot: false,
    add(dice, _, table, [properties]) {
      if (properties === undefined) return;
      addColumn(table, 'uid', 'integer', true);
      if (dice.chance(0.3)) table.number = 'uid';
      if (dice.chance(0.9)) table.unique.push({ columns: ['uid'], kind: 'plain' });
      const owner = { child: 'uid', parent: 'uid' };
      table.references.push({
        parent: properties.name,
        pairs: [owner],
        onDelete: null,
        isAside: false,
      });
      properties.properties = { of: table.name, owner };
    },
  },
];

/** Users of all tenants, and rows of each tenant that refer to them. */
const GLOBAL: readonly Made[] = [
  {
    isRoot: true,
    hasTenant: 0.2,
    add(dice, _, table, __, tenants) {
      addIdentities(dice, table, tenants);
      table.isOfAllTenants = true;
    },
  },
  { ...belowLast, hasTenant: 0.97 },
  {
    isRoot: false,
    hasTenant: 0.8,
    add(dice, database, table, earlier, tenants) {
      addReference(dice, database, table, dice.one(earlier), tenants, '');
    },
  },
];

/** Rows of which others have the tenant. */
const leading: Made = {
  isRoot: false,
  hasTenant: 0.97,
  add(_, __, table) {
    table.isLead = true;
  },
};

/** The last reference that was added leads to the tenant. */
function leadBy(table: Draft, isAside: boolean): void {
  const last = table.references.at(-1);
  if (last !== undefined)
    table.references[table.references.length - 1] = { ...last, isAside, isTenant: true };
}

/** In between: a table that has the tenant from another one, and that is only read, or has people too. */
const ledBetween: Made = {
  isRoot: false,
  hasTenant: 0.1,
  add(dice, database, table, earlier, tenants) {
    const above = earlier.at(-1);
    table.isLead = dice.chance(0.6);
    if (!table.isLead) addIdentities(dice, table, tenants);
    if (above === undefined) return;
    addReference(dice, database, table, above, tenants, '');
    leadBy(table, true);
  },
};

/** People of the tenant of what they refer to. */
const ledBy = (count: number): Made => ({
  isRoot: true,
  hasTenant: 0.25,
  add(dice, database, table, earlier, tenants) {
    addIdentities(dice, table, tenants);
    for (const [at, above] of earlier.slice(-count).entries()) {
      addReference(dice, database, table, above, tenants, at === 0 ? '' : '_b');
      leadBy(table, above.isLead);
    }
  },
});

const LED = [leading, ledBy(1), belowLast];
const LED_FAR = [leading, ledBetween, ledBy(1), belowLast];
const LED_BY_TWO = [leading, leading, ledBy(2)];

/** A foreign key from properties to whose they are, where it is unique. */
export function addWaysBack(dice: Dice, tables: readonly Draft[]): void {
  for (const { properties, references } of tables) {
    const owner = tables.find(({ name }) => name === properties?.of);
    const isUnique = owner?.unique.some(
      ({ columns, kind }) => columns.join() === 'uid' && kind === 'plain',
    );
    if (properties === undefined || !isUnique || !dice.chance(0.4)) continue;
    references.push({
      parent: properties.of,
      pairs: [properties.owner],
      isAside: true,
      onDelete: dice.one(['NO ACTION', 'CASCADE', 'SET NULL'] as const),
    });
  }
}

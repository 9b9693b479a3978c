import type { ColumnShape } from '../catalogue.ts';
import { decidingTables } from '../plan/leading-tables.ts';
import type { Follower, Plan, PlannedTable, ReferringTable } from '../plan/plan.ts';
import { TABLE_OF_ROWS } from '../plan/uniqueness.ts';
import { whereColumn } from '../plan/where-values.ts';
import type { Need } from './probe.ts';

/** The rights that an account needs to carry out the plan. */
export function needsOf(plan: Plan): Need[] {
  const names = (columns: Iterable<ColumnShape>) =>
    [...columns].flatMap(({ name, computed }) => computed?.from ?? name);
  const deciding = decidingTables(plan);
  const tables = [...plan.tables, ...plan.leads].map((table): Need => {
    const read = [
      ...names(table.columns),
      ...table.matches.map(({ column }) => column.name),
      ...(table.tenant === null ? [] : [table.tenant.name]),
      ...[...table.vias, ...table.tenantBy].flatMap(({ columns }) => names(columns)),
      ...table.where.map((one) => whereColumn(one).name),
      ...table.overwritten.keys(),
      // Other references to rows that are deleted are read too, to see whether they stay.
      ...plan.references.flatMap((one) =>
        one.table.name === table.table ? names(one.columns) : [],
      ),
    ];
    return {
      table: table.table,
      read: [...new Set(read)],
      isDeleted: table.action.kind === 'delete',
      isChanged: table.action.kind !== 'retain',
      written: [...table.overwritten.keys()],
      lockedBy: deciding.has(table.table) && table.keySize > 0 ? ownColumn(table) : undefined,
    };
  });
  // They are read before their references become NULL; a foreign key that sets NULL itself has its owner's
  // rights.
  const referring = plan.references
    .filter(({ detachedBy, release }) => detachedBy !== null || release === 'update')
    .map(
      ({ table, columns, nulled }): Need => ({
        table: table.name,
        read: [
          ...new Set(
            names([
              ...table.columns,
              ...columns,
              ...renewedOf(table, nulled),
              ...(table.tenant === null ? [] : [table.tenant]),
              ...table.tenantBy.flatMap((one) => one.columns),
            ]),
          ),
        ],
        isDeleted: false,
        isChanged: true,
        written: names([...nulled, ...renewedOf(table, nulled)]),
      }),
    );
  const followers = [...plan.tables, ...plan.references].flatMap((one) => followed(one.followers));
  const named = plan.tables.flatMap(({ where }) =>
    where.flatMap(({ through, column }): Need[] =>
      through === undefined
        ? []
        : [
            {
              table: through.table,
              read: names([through.key, column]),
              isDeleted: false,
              isChanged: false,
              written: [],
            },
          ],
    ),
  );
  return merged([...tables, ...referring, ...followers, ...named]);
}

/** They are counted before foreign keys change them, with their owners' rights. */
function followed(followers: readonly Follower[]): Need[] {
  return followers.flatMap(({ table, columns, followers: further }) => [
    { table, read: [...columns, ...further.flatMap((one) => one.referenced)], ...UNTOUCHED },
    ...followed(further),
  ]);
}

const UNTOUCHED = { isDeleted: false, isChanged: true, written: [] } as const;

/** Columns that our statements set to their own values. */
function renewedOf({ renewed }: ReferringTable, nulled: readonly ColumnShape[]) {
  return nulled.length === 0 ? [] : renewed;
}

/** A table may be listed several times, with a different action in each entry. */
function merged(needs: readonly Need[]): Need[] {
  return [...Map.groupBy(needs, ({ table }) => table)].map(([table, own]) => ({
    table,
    read: [...new Set(own.flatMap(({ read }) => read))],
    isDeleted: own.some(({ isDeleted }) => isDeleted),
    isChanged: own.some(({ isChanged }) => isChanged),
    written: [...new Set(own.flatMap(({ written }) => written))],
    lockedBy: own.find(({ lockedBy }) => lockedBy !== undefined)?.lockedBy,
  }));
}

/**
 * Only declared columns of the table: a row without a key is identified by its physical place, which is not
 * one.
 */
function ownColumn({ columns, keySize, isUnnamed }: PlannedTable): string | undefined {
  const own = isUnnamed ? columns.slice(keySize) : columns;
  return own.find(({ name }) => name !== TABLE_OF_ROWS)?.name;
}

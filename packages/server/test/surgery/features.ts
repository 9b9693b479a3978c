import { isKeyless, tableOf, typeOf } from './declared-world.ts';
import type { DeclaredTable, GeneratedCase, Reference } from './generated-case.ts';
import { isNumber } from './judge/compare-values.ts';

/** What is special about a case, in words: so that a run can tell what it has seen. */
export function featuresOf(generated: GeneratedCase): string[] {
  const { tables, configurations, requests, tries } = generated;
  const declared = configurations.flatMap((one) => one.tables);
  const matched = declared.flatMap(({ match }) => Object.values(match).flat());
  const references = tables.flatMap((table) =>
    table.references.map((reference) => ({ ...reference, table: table.name })),
  );
  const isMixed = ({ table, parent, pairs }: Reference & { table: string }) =>
    pairs.some((pair) => {
      const [child, above] = [
        typeOf(generated, table, pair.child),
        typeOf(generated, parent, pair.parent),
      ];
      return child !== above && isNumber(child) !== isNumber(above);
    });
  const features: Record<string, boolean> = {
    'no primary key': tables.some(
      ({ name, primaryKey }) => name !== 'log' && primaryKey.length === 0,
    ),
    'composite primary key': tables.some(({ primaryKey }) => primaryKey.length > 1),
    'natural primary key': tables.some(({ primaryKey }) => primaryKey.includes('code')),
    'key: given': declared.some(({ key }) => key !== null),
    'odd unique index': tables.some(({ unique }) => unique.some(({ kind }) => kind !== 'plain')),
    'self reference': references.some(({ table, parent }) => table === parent),
    'circular foreign keys': references.some(
      ({ isAside, table, parent }) => isAside && table !== parent,
    ),
    'reversed reference': references.some(({ pairs }) =>
      pairs.some(({ child }) => child === 'group_no'),
    ),
    'double reference': declared.some(
      ({ via }) => new Set(via.map((one) => one.parent)).size < via.length,
    ),
    'several parents': declared.some(({ via }) => new Set(via.map((one) => one.parent)).size > 1),
    'composite reference': declared.some(({ via }) => via.some(({ pairs }) => pairs.length > 1)),
    'reference to what is not unique': references.some(
      ({ parent, pairs }) =>
        ![
          tableOf(generated, parent).primaryKey,
          ...tableOf(generated, parent).unique.map(({ columns }) => columns),
        ].some(
          (index) =>
            index.length > 0 &&
            index.every((column) => pairs.some((pair) => pair.parent === column)),
        ),
    ),
    'mixed types': references.some(isMixed),
    'match beside via': declared.some(
      ({ match, via }) => Object.keys(match).length > 0 && via.length > 0,
    ),
    'several email columns': declared.some(({ match }) => (match.email ?? []).length > 1),
    'table with its own tenant column': declared.some(({ tenantColumn }) => tenantColumn !== null),
    where: declared.some(({ where }) => Object.keys(where).length > 0),
    'table listed several times': configurations.some(
      (one) => new Set(one.tables.map(({ table }) => table)).size < one.tables.length,
    ),
    'via names one entry': declared.some(({ via }) => via.some(({ where }) => where !== undefined)),
    'properties that lead to a user': configurations.some(({ tables: entries }) =>
      entries.some(({ table, via }) =>
        via.some((one) =>
          entries.some(
            (above) =>
              above.table === one.parent && above.via.some(({ parent }) => parent === table),
          ),
        ),
      ),
    ),
    'kept, and a reverse reference behind': configurations.some(({ tables: entries }) =>
      entries.some(({ via }) =>
        via.some(
          ({ parent, pairs }) =>
            pairs.some(({ child }) => child === 'group_no') &&
            entries.some(({ table, shared }) => table === parent && shared === 'keep'),
        ),
      ),
    ),
    'table of all tenants': declared.some(({ isOfAllTenants }) => isOfAllTenants),
    'own tenant, and a parent without': configurations.some(({ tenancy, tables: entries }) => {
      const hasTenant = (name: string) =>
        tenancy.way === 'column' &&
        tableOf(generated, name).columns.some(({ name: column }) =>
          [tenancy.column, 'owner'].includes(column),
        );
      return entries.some(
        ({ table, via }) => hasTenant(table) && via.some(({ parent }) => !hasTenant(parent)),
      );
    }),
    'several tenants of a controller': configurations.some(
      ({ tenancy }) => tenancy.way === 'column' && Array.isArray(tenancy.values.acme),
    ),
    'tenant by reference': declared.some(({ tenantBy }) => tenantBy.length > 0),
    'tenant by several references': declared.some(({ tenantBy }) => tenantBy.length > 1),
    'tenant over several steps': configurations.some(({ leads, tables: entries }) =>
      entries.some(({ tenantBy }) =>
        [...entries, ...leads].some(
          (one) => one.tenantBy.length > 0 && tenantBy.some(({ parent }) => parent === one.table),
        ),
      ),
    ),
    resolve: configurations.some(({ resolve }) => resolve !== null),
    'resolve in a table whose tenant is by reference': configurations.some(
      ({ resolve, leads, tables: entries }) =>
        [...entries, ...leads].some(
          ({ table, tenantBy }) => table === resolve?.table && tenantBy.length > 0,
        ),
    ),
    'resolve with where': configurations.some(
      ({ resolve }) => resolve !== null && Object.keys(resolve.where).length > 0,
    ),
    'match inside JSON': matched.some(({ path }) => path !== null),
    'match in a list of JSON': matched.some(({ path }) => path?.includes('*')),
    'match without blanks': matched.some(({ trim }) => trim),
    overwrite: declared.some(({ action }) => typeof action === 'object'),
    'overwrite what is unique': declared.some(({ table, action }) =>
      Object.keys(typeof action === 'object' ? action.overwrite : {}).some((column) =>
        tableOf(generated, table).unique.some(({ columns }) => columns.includes(column)),
      ),
    ),
    'detach listed': configurations.some(({ detach }) => detach.length > 0),
    'several references to one parent by foreign keys': tables.some(({ references }) => {
      const keys = references.filter(({ onDelete }) => onDelete !== null);
      return new Set(keys.map(({ parent }) => parent)).size < keys.length;
    }),
    'declared without a key': declared.some((one) => isKeyless(generated, one)),
    retain: declared.some(({ action }) => action === 'retain'),
    'cascades listed': configurations.some(({ cascades }) => cascades.length > 0),
    'undeclared table': tables.some(({ name }) => !declared.some(({ table }) => table === name)),
    'two requests': requests.length > 1,
    'changed configuration': configurations.length > 1,
    'changes during erasing': tries.some(({ changesDuring }) => changesDuring.length > 0),
    'changes between preview and erasing': tries.some(
      ({ changesBetween }) => changesBetween.length > 0,
    ),
    'table added meanwhile': tries.some(({ changesBetween }) =>
      changesBetween.some(({ does }) => does === 'create'),
    ),
    'released by a person': tries.some(({ isReleased }) => isReleased),
  };
  return [
    ...Object.keys(features).filter((name) => features[name]),
    ...new Set(references.map(({ onDelete }) => `on delete ${onDelete ?? '(no foreign key)'}`)),
    ...new Set(tables.flatMap(({ triggers }) => triggers.map(({ does }) => `trigger: ${does}`))),
    ...new Set(declared.map(({ shared }) => `shared: ${shared}`)),
    ...new Set(declared.flatMap(({ action }) => waysOfOverwriting(action))),
    ...new Set(tries.map(({ interruption }) => `try: ${interruption}`)),
    `tenancy: ${configurations[0].tenancy.way}`,
  ];
}

function waysOfOverwriting(action: DeclaredTable['action']): string[] {
  const values = typeof action === 'object' ? Object.values(action.overwrite) : [];
  return values.map((value) => {
    const isWay = typeof value === 'object' && value !== null;
    return `overwrite with ${isWay ? Object.keys(value).join() : 'a value'}`;
  });
}

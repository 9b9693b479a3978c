import { isNumber } from './compare-values.ts';
import { tableOf, typeOf } from './declared-world.ts';
import type { GeneratedCase, Reference } from './generated-case.ts';

/** What is special about a case, in words: so that a run can tell what it has seen. */
export function featuresOf(generated: GeneratedCase): string[] {
  const { tables, configurations, requests, tries } = generated;
  const declared = configurations.flatMap((one) => one.tables);
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
    overwrite: declared.some(({ action }) => typeof action === 'object'),
    retain: declared.some(({ action }) => action === 'retain'),
    'cascades listed': configurations.some(({ cascades }) => cascades.length > 0),
    'undeclared table': tables.some(({ name }) => !declared.some(({ table }) => table === name)),
    'two requests': requests.length > 1,
    'changed configuration': configurations.length > 1,
    'changes during erasing': tries.some(({ changesDuring }) => changesDuring.length > 0),
    'changes between preview and erasing': tries.some(
      ({ changesBetween }) => changesBetween.length > 0,
    ),
    'released by a person': tries.some(({ isReleased }) => isReleased),
  };
  return [
    ...Object.keys(features).filter((name) => features[name]),
    ...new Set(references.map(({ onDelete }) => `on delete ${onDelete ?? '(no foreign key)'}`)),
    ...new Set(tables.flatMap(({ triggers }) => triggers.map(({ does }) => `trigger: ${does}`))),
    ...new Set(declared.map(({ shared }) => `shared: ${shared}`)),
    ...new Set(tries.map(({ interruption }) => `try: ${interruption}`)),
    `tenancy: ${configurations[0].tenancy.way}`,
  ];
}

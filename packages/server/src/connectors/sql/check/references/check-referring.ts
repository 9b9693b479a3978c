// Foreign keys by which rows of other people may refer to rows that are deleted. Each would hold only requests
// whose rows are referred to, so all of them are reported before the first request is held.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import { entryName, type TableConfig, type TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../../catalogue.ts';
import { detachableColumn, isDetached } from '../../plan/detached-columns.ts';
import { findCascades } from '../../plan/find-cascades.ts';
import { toVia } from '../../plan/foreign-references.ts';
import { coversAll } from '../covers-all.ts';
import { warning } from '../line.ts';

export function checkReferring(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const holding = holdingKeys(work, catalogue);
  const inPlan = holding.filter(({ table }) => isDeclared(work, table));
  const detachable = namedColumns(holding, catalogue);
  const names = [...new Set(detachable.map(({ name }) => name))];
  const fixed = inPlan.filter((key) => !detachable.some((one) => one.key === key));
  const isToldApart = names.length === 1 && !detachable.some(({ key }) => inPlan.includes(key));
  return [
    ...(names.length === 0 || isToldApart
      ? []
      : [detachLine(detachable, names, detachList(work, catalogue))]),
    ...fixed.map((key) =>
      warning(
        key.table,
        `rows that are not the person's may refer to deleted rows of ${key.referenced} by ${key.columns.join(', ')} (foreign key ${key.name})${key.isOfPeriods ? '' : ', which cannot become NULL'}: a request whose rows are referred to so is held; ${waysOf(key)}`,
      ),
    ),
  ];
}

interface NamedColumn {
  readonly key: ForeignKey;
  /** `table.column` */
  readonly name: string;
}

function namedColumns(keys: readonly ForeignKey[], catalogue: Catalogue): NamedColumn[] {
  return keys.flatMap((key) => {
    const column = detachableColumn(key, catalogue);
    return column === undefined ? [] : [{ key, name: `${key.table}.${column}` }];
  });
}

/** What "detach" lists, and every reference that it could list besides. */
export function detachList(work: TablesWork, catalogue: Catalogue): string[] {
  const deleted = work.tables.filter(({ action }) => action.kind === 'delete');
  const emptied = findCascades(
    catalogue,
    deleted.map(({ table }) => table),
    work,
  ).filter(
    ({ key, effect }) =>
      effect === 'changed' && !isDeclared(work, key.table) && !work.cascades.includes(key.table),
  );
  const keys = [...holdingKeys(work, catalogue), ...emptied.map(({ key }) => key)];
  const listed = (work.detach ?? []).map(({ table, column }) => `${table}.${column}`);
  return [...new Set([...listed, ...namedColumns(keys, catalogue).map(({ name }) => name)])];
}

function detachLine(
  detachable: readonly NamedColumn[],
  names: readonly string[],
  all: readonly string[],
): CheckLine {
  const parents = (name: string) => [
    ...new Set(detachable.filter((one) => one.name === name).map(({ key }) => key.referenced)),
  ];
  const told = names.map((name) => `${name} (to ${parents(name).join(', ')})`).join(', ');
  const isOfOthers = detachable.some(({ key }) => key.table !== key.referenced);
  const isOfItself = detachable.some(({ key }) => key.table === key.referenced);
  const ways = [
    ...(isOfOthers ? ['name the reference under "via" of their table instead'] : []),
    ...(isOfItself
      ? [
          `find rows that refer to rows of their own table by a column of their own (match), or by hand: no table is found by a reference to itself`,
        ]
      : []),
  ];
  return warning(
    'detach',
    `rows that are not the person's may refer to rows that are deleted, by ${told}: a request whose rows are referred to so is held; where these references may become NULL, write all of them: detach: [${all.join(', ')}]; where such rows are the person's, ${ways.join('; ')}`,
  );
}

function waysOf(key: ForeignKey): string {
  const { table, referenced } = key;
  const map = Object.entries(toVia(key).columns)
    .map(([own, to]) => `${own}: ${to}`)
    .join(', ');
  const overwrite = `overwrite ${referenced} instead of deleting`;
  if (table === referenced) return `${overwrite}, or let the column be NULL and list it in detach`;
  return `if such rows are the person's, add to its "via": { ${referenced}: { ${map} } }, or ${overwrite}`;
}

function holdingKeys(work: TablesWork, catalogue: Catalogue): ForeignKey[] {
  const deleted = new Set(
    work.tables.filter(({ action }) => action.kind === 'delete').map(({ table }) => table),
  );
  for (const { key, effect } of findCascades(catalogue, [...deleted], work))
    if (effect === 'deleted' && !isDeclared(work, key.table) && work.cascades.includes(key.table))
      deleted.add(key.table);
  return [...deleted]
    .flatMap((table) => catalogue.get(table)?.referencedBy ?? [])
    .filter((key) => key.columns.length > 0 && !isDetached(work, key))
    .filter((key) => (isDeclared(work, key.table) ? !isFound(work, key) : !isListed(work, key)));
}

/** What a cascade would delete is a separate decision, reported separately. */
function isListed({ cascades }: TablesWork, { table, onDelete }: ForeignKey): boolean {
  if (onDelete === 'cascade') return true;
  return (onDelete === 'set_null' || onDelete === 'set_default') && cascades.includes(table);
}

/** Every row that refers by this key is found by it, and its reference is gone when its parent is deleted. */
function isFound(work: TablesWork, key: ForeignKey): boolean {
  const entries = work.tables.filter(({ table }) => table === key.table);
  return (
    coversAll(entries) &&
    entries.every(
      (entry) =>
        entry.shared !== 'keep' &&
        isLetGo(entry, key) &&
        entry.via.some((via) => isSame(work, via, key)),
    )
  );
}

function isLetGo({ action }: TableConfig, { columns }: ForeignKey): boolean {
  if (action.kind === 'delete') return true;
  return action.kind === 'overwrite' && columns.some((name) => Object.hasOwn(action.columns, name));
}

function isSame({ tables }: TablesWork, via: TableConfig['via'][number], key: ForeignKey): boolean {
  const { parent, entries, columns } = via;
  const parents = tables.filter(
    ({ table, action }) => table === key.referenced && action.kind === 'delete',
  );
  return (
    parent === key.referenced &&
    parents.every((entry) => entries === undefined || entries.includes(entryName(entry))) &&
    Object.entries(toVia(key).columns).every(([name, to]) => columns[name] === to)
  );
}

function isDeclared({ tables }: TablesWork, name: string): boolean {
  return tables.some(({ table }) => table === name);
}

// Checks what foreign keys would change outside the plan, or prevent the plan from doing.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TableConfig, TablesWork } from '../../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../../catalogue.ts';
import { detachableColumn, isDetached } from '../../plan/detached-columns.ts';
import { isInCircle } from '../../plan/erasing-order.ts';
import { type Cascade, findCascades } from '../../plan/find-cascades.ts';
import { referredOverwrites, writeReferred } from '../../plan/referred-overwrites.ts';
import { problem, warning } from '../line.ts';
import { checkIdle } from './check-idle-cascades.ts';
import { checkUnnamed, findingOf } from './check-unnamed-cascades.ts';

export function checkForeignKeys(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const declared = declaredTables(work);
  const deleted = work.tables.filter(({ action }) => action.kind === 'delete');
  const cascades = findCascades(
    catalogue,
    deleted.map(({ table }) => table),
    work,
  );
  const reached = new Set([
    ...deleted.map(({ table }) => table),
    ...cascades.map(({ key }) => key.table),
  ]);
  // A row whose reference gets another value stays, and may be referred to.
  const emptied = new Set([
    ...deleted.map(({ table }) => table),
    ...cascades.flatMap(({ key, effect }) =>
      effect === 'deleted' && !declared.has(key.table) ? key.table : [],
    ),
  ]);
  return [
    ...checkUnnamed(
      cascades.filter(({ key }) => !declared.has(key.table)),
      work,
      catalogue,
    ),
    ...distinct(
      cascades.flatMap((cascade) => {
        const staying = stayingEntry(work, cascade.key);
        return staying === undefined ? [] : checkCascade(cascade, work, catalogue, staying);
      }),
    ),
    ...work.tables.flatMap((table) => checkFollowing(table, work, catalogue)),
    ...referredOverwrites(work, catalogue).map((key) =>
      warning(
        key.referenced,
        `the plan overwrites ${writeReferred(key)} (foreign key ${key.name}): a request whose rows are referred to is held; leave the column as it is, or delete from ${key.table} before it`,
      ),
    ),
    ...cascades.flatMap(({ key, effect }) =>
      effect === 'changed' ? checkFurther(key.table, key.columns, work, catalogue) : [],
    ),
    ...(work.detach ?? []).flatMap(({ table, column }) =>
      checkFurther(table, [column], work, catalogue),
    ),
    ...[...emptied].flatMap((table) =>
      checkRefusing(table, work, catalogue, declared)
        .filter(
          // Deleted by another key's cascade, before the row that it refers to.
          ({ key }) =>
            !cascades.some((one) => one.effect === 'deleted' && one.key.table === key.table),
        )
        .map(({ line }) => line),
    ),
    ...deleted.flatMap(({ table }) => checkOrder(table, work, catalogue)),
    ...checkIdle(reached, work, catalogue, (table) => isFollowed(table, work, catalogue)),
  ];
}

/**
 * If a table is listed several times, one entry whose rows still refer when the parent is deleted is
 * enough.
 */
function stayingEntry({ tables }: TablesWork, key: ForeignKey): TableConfig | undefined {
  const entries = tables.filter(({ table }) => table === key.table);
  const stays = ({ action }: TableConfig) =>
    action.kind === 'retain' || (action.kind === 'overwrite' && !isLetGo(action, key));
  return (
    entries.find(stays) ?? entries.find(({ action }) => action.kind !== 'delete') ?? entries[0]
  );
}

/** If a table is listed several times, one entry whose rows are not deleted is enough. */
function declaredTables({ tables }: TablesWork): Map<string, TableConfig> {
  const declared = new Map<string, TableConfig>();
  for (const table of tables) {
    const before = declared.get(table.table);
    if (before === undefined || before.action.kind === 'delete') declared.set(table.table, table);
  }
  return declared;
}

function checkCascade(
  { key, effect }: Cascade,
  work: TablesWork,
  catalogue: Catalogue,
  declared: TableConfig,
): CheckLine[] {
  const found = findingOf({ key, effect });
  if (declared.action.kind === 'delete') return [];
  if (declared.action.kind === 'overwrite' && isLetGo(declared.action, key)) return [];
  const column = detachableColumn(key, catalogue);
  const detach = column && `detach: [${key.table}.${column}]`;
  if (effect === 'deleted') {
    const meant = declared.action.kind === 'retain' ? 'retains' : 'overwrites';
    const ways = [
      'drop the cascade from the key',
      `delete from ${key.table} in "tables"`,
      ...(detach ? [`let the reference become NULL and keep the row: ${detach}`] : []),
    ];
    return [problem(key.table, `${found}, which the plan ${meant}; ${ways.join(', or ')}`)];
  }
  // For a table from which rows are deleted, "cascades" does not say which other rows may change.
  const isDeletedToo = work.tables.some(
    ({ table, action }) => table === key.table && action.kind === 'delete',
  );
  const isListed = work.cascades.includes(key.table);
  if (isListed && !isDeletedToo) return [];
  const listed = isListed
    ? ', and "cascades" cannot allow for a table that rows are deleted from'
    : '';
  const remedy = detach
    ? `if that is meant, list the column: ${detach}`
    : isDeletedToo
      ? `delete from ${key.table} by all its entries, or overwrite ${key.referenced} instead of deleting`
      : `if that is meant, list it: cascades: [${key.table}]`;
  return [problem(key.table, `${found}, which the plan keeps${listed}; ${remedy}`)];
}

/** The row gets another value there before its parent is deleted. */
function isLetGo(
  { columns }: Extract<TableConfig['action'], { kind: 'overwrite' }>,
  key: ForeignKey,
): boolean {
  return key.columns.some((column) => Object.hasOwn(columns, column));
}

/** Keys that follow an overwritten column into other tables. */
function checkFollowing(
  { table, action }: TableConfig,
  work: TablesWork,
  catalogue: Catalogue,
): CheckLine[] {
  if (action.kind !== 'overwrite') return [];
  return followingKeys(table, action.columns, catalogue)
    .filter((key) => !work.cascades.includes(key.table))
    .map((key) =>
      problem(
        key.table,
        `overwriting ${table} also changes rows of ${key.table} (foreign key ${key.name}, ON UPDATE); if that is meant, list it: cascades: [${key.table}]`,
      ),
    );
}

function followingKeys(table: string, columns: object, catalogue: Catalogue): ForeignKey[] {
  return keysThatFollow(table, Object.keys(columns), catalogue);
}

/** Recursive: a change that follows another may itself be followed. */
function keysThatFollow(
  table: string,
  columns: readonly string[],
  catalogue: Catalogue,
  seen: ReadonlySet<ForeignKey> = new Set(),
): ForeignKey[] {
  const keys = (catalogue.get(table)?.referencedBy ?? []).filter(
    (key) =>
      !refuses(key.onUpdate) &&
      !seen.has(key) &&
      key.referencedColumns.some((column) => columns.includes(column)),
  );
  const known = new Set([...seen, ...keys]);
  return keys.flatMap((key) => [key, ...keysThatFollow(key.table, key.columns, catalogue, known)]);
}

/** If a foreign key changes a column, other keys may follow it. */
function checkFurther(
  table: string,
  columns: readonly string[],
  work: TablesWork,
  catalogue: Catalogue,
): CheckLine[] {
  return keysThatFollow(table, columns, catalogue)
    .filter((key) => !work.cascades.includes(key.table))
    .map((key) =>
      problem(
        key.table,
        `a change of ${table} by a foreign key also changes rows of ${key.table} (foreign key ${key.name}, ON UPDATE); if that is meant, list it: cascades: [${key.table}]`,
      ),
    );
}

function isFollowed(table: string, work: TablesWork, catalogue: Catalogue): boolean {
  return work.tables.some(
    ({ table: parent, action }) =>
      action.kind === 'overwrite' &&
      followingKeys(parent, action.columns, catalogue).some((key) => key.table === table),
  );
}

function checkRefusing(
  table: string,
  work: TablesWork,
  catalogue: Catalogue,
  declared: ReadonlyMap<string, TableConfig>,
): { key: ForeignKey; line: CheckLine }[] {
  return (catalogue.get(table)?.referencedBy ?? [])
    .filter((key) => refuses(key.onDelete) && !isDetached(work, key))
    .filter(({ table: name }) => declared.get(name)?.action.kind !== 'delete')
    .filter((key) => {
      const action = stayingEntry(work, key)?.action;
      return action?.kind !== 'overwrite' || !isLetGo(action, key);
    })
    .map((key) => {
      const kept = declared.has(key.table) ? 'keeps' : 'does not name';
      const column = detachableColumn(key, catalogue);
      const ways = [
        ...(column ? [`let the reference become NULL (detach: [${key.table}.${column}])`] : []),
        `delete from ${key.table} too, before ${table}`,
        ...(column ? [] : [`overwrite ${table} instead of deleting`]),
      ];
      return {
        key,
        line: warning(
          table,
          `${key.table}, which the plan ${kept}, refers to it (foreign key ${key.name}): a request whose rows are referred to is held; ${ways.join(', or ')}`,
        ),
      };
    });
}

function checkOrder(parent: string, work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const order = work.tables.map(({ table }) => table);
  const keys = deletedKeys(work, catalogue);
  return (
    (catalogue.get(parent)?.referencedBy ?? [])
      .filter((key) => key.table !== parent)
      .filter((key) => order.lastIndexOf(key.table) > order.indexOf(parent))
      .filter(
        (key) => work.tables.find(({ table }) => table === key.table)?.action.kind !== 'retain',
      )
      // In a circle either table may be first.
      .filter((key) => !isInCircle(toPair(key), keys))
      .map((key) =>
        problem(
          key.table,
          `refers to ${parent} (foreign key ${key.name}), so it has to be erased first; put it before ${parent} in "tables"`,
        ),
      )
  );
}

const toPair = ({ table: child, referenced: parent }: ForeignKey) => ({ child, parent });

/** The keys between tables from which rows are deleted. */
function deletedKeys({ tables }: TablesWork, catalogue: Catalogue) {
  const deleted = tables.filter(({ action }) => action.kind === 'delete');
  const names = new Set(deleted.map(({ table }) => table));
  return deleted
    .flatMap(({ table }) => catalogue.get(table)?.referencedBy ?? [])
    .filter(({ table }) => names.has(table))
    .map(toPair);
}

function refuses(action: ForeignKey['onDelete']): boolean {
  return action === 'no_action' || action === 'restrict';
}

// The same key may be reached in two ways.
function distinct(lines: readonly CheckLine[]): CheckLine[] {
  return [...new Map(lines.map((line) => [line.message, line])).values()];
}

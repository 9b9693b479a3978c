// The foreign keys by which rows refer to rows that are deleted: the order of tables that they require, and
// what happens to references that are still there then.
import type { SqlTargetConfig, TablesWork } from '../../../domain/target/target.ts';
import type { ColumnShape, ForeignKey, TableShape } from '../catalogue.ts';
import { quoteTable, type SqlDialect, updateOf } from '../dialect.ts';
import { compareReference } from './compare-reference.ts';
import { detachedColumns } from './detached-columns.ts';
import { erasingOrder, type Precedence, type Release } from './erasing-order.ts';
import type {
  Follower,
  PlannedReference,
  PlannedTable,
  PlannedVia,
  ReferringTable,
} from './plan.ts';
import { hiddenColumn, planMisfit } from './plan-misfits.ts';
import { rowKeyOf } from './row-key.ts';

export interface ReferenceParts {
  readonly config: SqlTargetConfig;
  readonly work: TablesWork;
  readonly dialect: SqlDialect;
  readonly planned: readonly PlannedTable[];
  shapeOf(table: string): TableShape;
  positionsOf(table: string, key: ForeignKey): readonly number[];
  followersOf(table: string, columns: readonly string[]): readonly Follower[];
  /** For a table that is not declared: the references that determine the tenants of its rows. */
  viasOf(table: string): PlannedVia[];
}

interface PrecedingKey extends Precedence {
  readonly key: ForeignKey;
}

export interface PlannedReferences {
  readonly references: readonly PlannedReference[];
  /** The tables that are erased, in that order. */
  readonly names: readonly string[];
  /** Foreign keys in a circle that cannot be opened. */
  readonly stuck: readonly ForeignKey[];
}

export function planReferences(
  parts: ReferenceParts,
  keys: readonly ForeignKey[],
): PlannedReferences {
  const { planned, dialect } = parts;
  const erased = planned.filter(({ action }) => action.kind !== 'retain');
  const precedences = keys.flatMap((key): PrecedingKey[] => {
    const entries = erased.filter((entry) => entry.table === key.table);
    if (!entries.some((entry) => isGoneByThen(entry, key))) return [];
    const { table, referenced: parent } = key;
    return [{ key, child: table, parent, release: releaseOf(parts, key) }];
  });
  const { names, released, stuck } = erasingOrder(
    [...new Set(erased.map(({ table }) => table))],
    precedences,
  );
  const references = keys.map((key): PlannedReference => {
    const release = released.find((one) => one.key === key)?.release ?? null;
    const shape = parts.shapeOf(key.table);
    const pairs = key.columns.map((name, place) => {
      const column = columnOf(shape, name);
      const parentColumn = columnOf(
        parts.shapeOf(key.referenced),
        key.referencedColumns[place] ?? '',
      );
      return { column, parentColumn };
    });
    const compared = compareReference(pairs, key, {
      parent: quoteTable(dialect, key.referenced),
      child: quoteTable(dialect, key.table),
    });
    const detachedBy = detachedByOf(parts, key, compared.joined !== null);
    const nulled = nulledColumns(parts, key, detachedBy, release);
    const detached = changedIn(parts, key, detachedBy);
    return {
      key: key.name,
      table: referringTable(parts, key.table),
      parent: key.referenced,
      // Rows that another entry overwrites or retains can still be referred to.
      entries: planned
        .filter(({ table, action }) => table === key.referenced && action.kind === 'delete')
        .map(({ name }) => name),
      columns: pairs.map(({ column }) => column),
      positions: parts.positionsOf(key.table, key),
      parentColumns: pairs.map(({ parentColumn }) => parentColumn),
      comparisons: compared.comparisons.map((comparison) => comparison ?? 'exact'),
      joined: compared.joined,
      rowsIn: key.rowsIn ?? null,
      onDelete: key.onDelete,
      isFoundByVia: isFoundByVia(planned, key),
      detachedBy,
      isListed: detachedColumns(parts.work, key).length === 0,
      release,
      nulled,
      setColumns: key.setColumns ?? key.columns,
      detached: detached.map((name) => columnOf(shape, name)),
      followers: parts.followersOf(key.table, [
        ...detached,
        ...nulled.map(({ name }) => name),
        ...(release === 'database' ? (key.setColumns ?? key.columns) : []),
      ]),
    };
  });
  return { references, names, stuck: stuck.map(({ key }) => key) };

  function referringTable({ shapeOf, config }: ReferenceParts, name: string): ReferringTable {
    const [known, ...others] = planned.filter(({ table }) => table === name);
    const shape = shapeOf(name);
    const renewed = [...shape.columns.values()].filter(({ isRenewed }) => isRenewed === true);
    // Entries of one table have the same columns, key and tenant.
    if (known !== undefined)
      return { ...known, name, renewed, vias: [known, ...others].flatMap(({ vias }) => vias) };
    const rowKey = rowKeyOf({ key: null }, shape);
    const key = rowKey?.columns ?? [...shape.columns.values()];
    const { tenancy } = config;
    const tenant = tenancy.way === 'column' ? shape.columns.get(tenancy.column) : undefined;
    return {
      name,
      sqlName: quoteTable(dialect, name),
      update: updateOf(dialect, shape),
      columns: key,
      keySize: key.length,
      isUnnamed: rowKey?.isUnnamed ?? true,
      tenant: tenant ?? null,
      tenantBy: [],
      vias: tenant === undefined ? parts.viasOf(name) : [],
      renewed,
    };
  }
}

/** Deleted, or overwritten in a column of the reference. */
function isGoneByThen({ action, overwritten }: PlannedTable, { columns }: ForeignKey): boolean {
  return action.kind === 'delete' || columns.some((column) => overwritten.has(column));
}

function releaseOf({ dialect, shapeOf }: ReferenceParts, key: ForeignKey): Release | null {
  const columns = key.columns.map((name) => columnOf(shapeOf(key.table), name));
  const isNullable = columns.every((column) => column.isNullable);
  if (key.onDelete === 'set_null' && isNullable) return 'database';
  if (key.onDelete === 'set_default') return 'database';
  const canDefer = dialect.defer !== null && (dialect.defer.isForAll || key.isDeferrable === true);
  if (key.onDelete === 'no_action' && canDefer) return 'deferred';
  return columns.some((column) => canBeNulled(shapeOf(key.table), column)) ? 'update' : null;
}

function canBeNulled({ primaryKey }: TableShape, { name, isNullable, isGenerated }: ColumnShape) {
  return isNullable && !isGenerated && !primaryKey.includes(name);
}

/** How a reference in a row that stays becomes NULL, if the operator allows it. */
function detachedByOf(
  { work, dialect }: ReferenceParts,
  key: ForeignKey,
  isJoined: boolean,
): PlannedReference['detachedBy'] {
  const listed = detachedColumns(work, key);
  const isSure = !isJoined || dialect.foreignKeys.nullsAllEqual;
  if (listed.length > 0)
    return key.onDelete === 'set_null' && listed.length === key.columns.length && isSure
      ? 'database'
      : 'update';
  const isDeleted = work.tables.some(
    ({ table, action }) => table === key.table && action.kind === 'delete',
  );
  const isChanged = key.onDelete === 'set_null' || key.onDelete === 'set_default';
  const isListed = work.cascades.includes(key.table) && !isDeleted;
  return isChanged && isListed ? 'database' : null;
}

/** The columns that get another value in rows that stay. */
function changedIn(
  { work }: ReferenceParts,
  key: ForeignKey,
  detachedBy: PlannedReference['detachedBy'],
): readonly string[] {
  if (detachedBy === null) return [];
  return detachedBy === 'update' ? detachedColumns(work, key) : (key.setColumns ?? key.columns);
}

function nulledColumns(
  { work, shapeOf }: ReferenceParts,
  key: ForeignKey,
  detachedBy: PlannedReference['detachedBy'],
  release: Release | null,
): ColumnShape[] {
  const shape = shapeOf(key.table);
  const columns = key.columns.map((name) => columnOf(shape, name));
  const listed = detachedColumns(work, key);
  if (detachedBy === 'update') return columns.filter(({ name }) => listed.includes(name));
  return release === 'update' ? columns.filter((column) => canBeNulled(shape, column)) : [];
}

/** Exactly the reference by which the table's rows are found, and nothing excludes one of them. */
function isFoundByVia(planned: readonly PlannedTable[], key: ForeignKey): boolean {
  const [table, ...others] = planned.filter((entry) => entry.table === key.table);
  if (table?.action.kind !== 'delete' || table.shared === 'keep') return false;
  if (others.length > 0 || table.where.length > 0) return false;
  // There, a row of another tenant holds the task.
  const deleted = planned.filter(
    (entry) => entry.table === key.referenced && entry.action.kind === 'delete',
  );
  return table.vias.some(
    (via) =>
      via.uniqueness === 'alone' &&
      isSame(via, key) &&
      deleted.every(({ name }) => via.entries.includes(name)),
  );
}

function isSame({ parent, columns, parentColumns, isForeignKey }: PlannedVia, key: ForeignKey) {
  const pairs = new Set(columns.map(({ name }, at) => `${name}\0${parentColumns[at]?.name}`));
  return (
    isForeignKey &&
    parent === key.referenced &&
    key.columns.every((name, at) => pairs.has(`${name}\0${key.referencedColumns[at]}`))
  );
}

function columnOf(shape: TableShape, name: string): ColumnShape {
  const column = shape.columns.get(name);
  // MySQL and MariaDB hide columns from an account that may read only others of the table.
  if (column === undefined) throw planMisfit(hiddenColumn(shape.table, name));
  return column;
}

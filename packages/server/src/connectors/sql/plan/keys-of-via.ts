// What the database knows about a declared reference.
import type { ViaConfig } from '../../../domain/target/target.ts';
import type { ForeignKey, TableShape } from '../catalogue.ts';

/** Foreign keys with the same columns as the reference. */
export function keysOf(child: string, via: ViaConfig, parent: TableShape): ForeignKey[] {
  const pairs = new Set(Object.entries(via.columns).map(([from, to]) => `${from}\0${to}`));
  return parent.referencedBy.filter(
    ({ table, columns, referencedColumns }) =>
      table === child &&
      columns.length === pairs.size &&
      columns.every((from, place) => pairs.has(`${from}\0${referencedColumns[place]}`)),
  );
}

/** Foreign keys with the same columns in the other direction: the parent's rows refer to the child's. */
export function reverseKeysOf(child: TableShape, via: ViaConfig): ForeignKey[] {
  const pairs = new Set(Object.entries(via.columns).map(([from, to]) => `${from}\0${to}`));
  return child.referencedBy.filter(
    ({ table, columns, referencedColumns }) =>
      table === via.parent &&
      columns.length === pairs.size &&
      columns.every((from, place) => pairs.has(`${referencedColumns[place]}\0${from}`)),
  );
}

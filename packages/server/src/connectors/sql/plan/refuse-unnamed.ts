// Rows of a table without a unique key can be counted and deleted, but not told apart: neither may other rows refer to
// them, nor may it depend on their other owners what happens to them.
import type { PlannedReference, PlannedTable } from './plan.ts';
import { planMisfit } from './plan-misfits.ts';

export function refuseUnnamed(
  tables: readonly PlannedTable[],
  references: readonly PlannedReference[],
): void {
  for (const { table, action, shared, hasSeveralOwners, beside } of tables.filter(
    (it) => it.isUnnamed,
  )) {
    const child =
      tables.find(({ vias }) => vias.some(({ parent }) => parent === table))?.table ??
      references.find(({ parent }) => parent === table)?.table.name;
    if (child !== undefined)
      throw planMisfit(
        `${table} has no unique key, and ${child} refers to it, so its rows have to be told apart; add a primary key to ${table}, or make the columns of a unique index NOT NULL`,
      );
    if (beside.length > 0)
      throw planMisfit(
        `${table} has no unique key, and several of its entries may have the same row; add a primary key, or make the columns of a unique index NOT NULL`,
      );
    if (hasSeveralOwners && action.kind !== 'retain' && shared !== 'erase')
      throw planMisfit(
        `${table} has no unique key, and its rows can be tied to several people; add a primary key, or let the rows be erased for each of them: "shared: erase"`,
      );
  }
}

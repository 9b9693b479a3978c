// Rows of an earlier intent that are still there, unchanged, while what they belonged by is gone.

import type { Snapshot } from './declared-world.ts';
import type { GeneratedCase, GeneratedRequest, Row } from './generated-case.ts';
import { isReferredTo } from './keep-constraints.ts';
import { findOwnership } from './model.ts';
import type { TryRecord } from './run-case.ts';
import { isSamePlan } from './same-plan.ts';

export interface Orphan {
  readonly table: string;
  readonly rid: string;
  /** Unchanged, and its parent is gone: to be held. Otherwise tied to nobody any more: may be held. */
  readonly isCertain: boolean;
}

/** As of the last of the tries. */
export function findOrphans(
  generated: GeneratedCase,
  records: readonly TryRecord[],
  request: GeneratedRequest,
): Orphan[] {
  const last = records.at(-1);
  if (last === undefined) return [];
  const { configuration } = last;
  const world = { ...generated, configuration };
  const now = findOwnership(world, last.after, request).claims;
  // An intent of another configuration is void: what it named is not known any more.
  const changed = records.findLastIndex((one) => !isSamePlan(one.configuration, configuration));
  return records.slice(changed + 1).flatMap((record) => {
    if (!record.hasIntent) return [];
    const then = findOwnership(world, record.before, request);
    if (then.holds.length > 0) return [];
    return configuration.tables.flatMap((declared): Orphan[] => {
      const { table, action, via, match } = declared;
      if (action === 'retain') return [];
      return [...(then.claims.get(table) ?? [])].flatMap(([rid, claim]) => {
        const row = last.after.get(table)?.get(rid);
        const before = record.before.get(table)?.get(rid);
        if (claim !== 'own' || row === undefined || now.get(table)?.has(rid)) return [];
        if (via.some((one) => refersToAny(generated, table, row, one, last.after))) return [];
        const columns = Object.values(match).flat();
        if (columns.some((column) => (row[column] ?? null) !== null)) return [];
        const isSame = JSON.stringify(row) === JSON.stringify(before);
        return [{ table, rid, isCertain: isSame && columns.length === 0 && action === 'delete' }];
      });
    });
  });
}

function refersToAny(
  { database, tables }: GeneratedCase,
  table: string,
  row: Row,
  {
    parent,
    pairs,
  }: { readonly parent: string; readonly pairs: readonly { child: string; parent: string }[] },
  rows: Snapshot,
): boolean {
  return [...(rows.get(parent)?.values() ?? [])].some((above) =>
    isReferredTo(database, tables, table, row, parent, above, pairs),
  );
}

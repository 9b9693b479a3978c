// Deleted rows, and the values by which others referred to them: a number that is not the row's key may
// belong to another row by now, and so do the rows that refer to it.
import type { PlannedVia } from '../plan/plan.ts';
import type { FindBatch } from './find-context.ts';
import type { FoundRow } from './found-rows.ts';
import { readParents } from './read-parents.ts';
import { referenceKey } from './reference-keys.ts';

/** The deleted rows whose values cannot mean any other row. */
export async function withoutReplaced(
  batch: FindBatch,
  via: PlannedVia,
  gone: readonly FoundRow[],
): Promise<readonly FoundRow[]> {
  const { plan, dialect, tenants } = batch;
  const parent = plan.tables.find(({ name }) => via.entries.includes(name));
  if (gone.length === 0 || parent === undefined || via.uniqueness === 'none') return gone;
  // A row with the same key would be the same row, so it would not be gone.
  if (via.positions.every((position) => position < parent.keySize)) return gone;
  const referenceOf = ({ values }: FoundRow) =>
    via.positions.map((position) => values[position] ?? null);
  const named = gone.map(referenceOf).filter((values) => values.every((text) => text !== null));
  const others = await readParents(batch, via, named);
  return gone.filter((row) => {
    const key = referenceKey(dialect, via, referenceOf(row), 'parent')?.key;
    const now = key === undefined ? [] : (others.get(key) ?? []);
    if (via.uniqueness === 'alone') return now.length === 0;
    const [owner = -1] = row.owners;
    const own = tenants[owner] ?? [];
    return !now.some((one) => (own.length > 0 ? own : [null]).some((it) => one.tenants.has(it)));
  });
}

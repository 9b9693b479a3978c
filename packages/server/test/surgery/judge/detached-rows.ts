// Rows of others that referred to what went, and do so no more because the configuration lets them.

import type { Configuration, GeneratedCase } from '../generated-case.ts';
import { isReferredTo } from '../make/keep-constraints.ts';
import type { Span } from '../run-try.ts';
import type { RowChange } from './row-changes.ts';

/** Nothing of the row has changed but references that may become NULL, to rows that went. */
export function isDetached(
  { database, tables }: GeneratedCase,
  { detach }: Configuration,
  { table, before, after }: RowChange,
  { from, to }: Span,
): boolean {
  if (after === undefined) return false;
  const changed = Object.keys(before).filter((column) => before[column] !== after[column]);
  const references = tables.find(({ name }) => name === table)?.references ?? [];
  return changed.every((column) => {
    if (after[column] !== null || !detach.includes(`${table}.${column}`)) return false;
    return references.some(
      ({ parent, pairs }) =>
        pairs.some(({ child }) => child === column) &&
        [...(from.get(parent) ?? [])].some(
          ([rid, above]) =>
            !to.get(parent)?.has(rid) &&
            isReferredTo(database, tables, table, before, parent, above, pairs),
        ),
    );
  });
}

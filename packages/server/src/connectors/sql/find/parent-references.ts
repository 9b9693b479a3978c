// The values by which other rows refer to a subject's rows: with them, the reference of a child shows whose
// it is.
import type { KeyRow } from '../../../domain/target/connector.ts';
import type { SqlDialect } from '../dialect.ts';
import type { PlannedVia } from '../plan/plan.ts';
import { type FoundRow, union } from './found-rows.ts';
import { canRefer, referenceKey } from './reference-keys.ts';

export interface ReferredTo {
  readonly reference: KeyRow;
  readonly owners: readonly number[];
  /** Owners for whom every row with this value is kept. */
  readonly kept: readonly number[];
  /** Written in a form that must be neither trusted nor ignored. */
  readonly isOdd: boolean;
}

/** Keyed by the key of the reference. */
export type ParentReferences = ReadonlyMap<string, ReferredTo>;

const NONE: readonly number[] = [];

export function referencesTo(
  dialect: SqlDialect,
  via: PlannedVia,
  parents: Iterable<FoundRow>,
): ParentReferences {
  const all = new Map<string, ReferredTo>();
  for (const { values, owners, kept = NONE } of parents) {
    const reference = via.positions.map((position) => values[position] ?? null);
    const key = referenceKey(dialect, via, reference, 'parent');
    if (key === undefined || !canRefer(dialect, via, reference)) continue;
    // A blank value identifies no one: rows with such a reference are not trusted.
    const isOdd = key.isOdd || isBlank(dialect, via, reference);
    const before = all.get(key.key);
    all.set(
      key.key,
      before === undefined
        ? { reference, owners, kept, isOdd }
        : {
            reference,
            owners: union(before.owners, owners),
            kept: [...new Set([...before.kept, ...kept])].filter(
              (place) =>
                (!before.owners.includes(place) || before.kept.includes(place)) &&
                (!owners.includes(place) || kept.includes(place)),
            ),
            isOdd: before.isOdd || isOdd,
          },
    );
  }
  return all;
}

function isBlank(dialect: SqlDialect, { parentColumns }: PlannedVia, reference: KeyRow): boolean {
  return parentColumns.some(
    ({ kind }, place) => kind === 'text' && dialect.plainKey(reference[place] ?? '').trim() === '',
  );
}

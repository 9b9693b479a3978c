// Whether the rows that gave a looked-up identity were erased for the same request: then they cannot give it again.
import { entryName, type SqlTargetConfig, type TargetConfig } from '../../domain/target/target.ts';
import type { OtherErasure } from '../../domain/task/fulfilment-ports.ts';

export type ErasedProof = 'erased' | 'erasing' | 'not erased';

/** `others`: of one request. `targetNamed`: undefined where it is not in the configuration any more. */
export function erasedProof(
  looksUp: TargetConfig,
  others: readonly OtherErasure[],
  targetNamed: (name: string) => TargetConfig | undefined,
): ErasedProof {
  if (!('resolve' in looksUp) || looksUp.resolve === null) return 'not erased';
  const { table } = looksUp.resolve;
  const there = others.filter(({ target }) => erasesAt(looksUp, targetNamed(target)));
  const hasErased = ({ target, tables }: OtherErasure) => {
    const names = namesOf(targetNamed(target), table);
    return Object.entries(tables).some(
      ([name, { rows, action }]) =>
        rows > 0 && action !== 'retain' && (names === 'any' || names.has(name)),
    );
  };
  if (there.some(hasErased)) return 'erased';
  return there.some(({ isErasing }) => isErasing) ? 'erasing' : 'not erased';
}

/** In the same database: that is the first part of the digest. */
function erasesAt(looksUp: SqlTargetConfig, target: TargetConfig | undefined): boolean {
  const place = ({ planDigest }: TargetConfig) => planDigest.split('-')[0];
  return target !== undefined && place(target) === place(looksUp);
}

/** What its evidence calls the table. Hand-written statements name their rows as they like. */
function namesOf(target: TargetConfig | undefined, table: string): ReadonlySet<string> | 'any' {
  if (target === undefined || !('work' in target)) return new Set();
  if (target.work.kind === 'statements') return 'any';
  const entries = target.work.tables.filter((entry) => entry.table === table);
  return new Set([table, ...entries.map(entryName)]);
}

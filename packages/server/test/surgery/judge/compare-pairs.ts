// Whether a row refers to another: by the values of both, or by a foreign key.
import { tableOf, typeOf, type World } from '../declared-world.ts';
import type { Pair, Row, Via } from '../generated-case.ts';
import { compareReference, isNearly } from './compare-values.ts';

export const areNearly = (row: Row, above: Row, pairs: readonly Pair[]) =>
  pairs.every(({ child, parent }) => isNearly(row[child] ?? '', above[parent] ?? ''));

export function comparePairs(
  world: World,
  child: string,
  row: Row,
  parent: string,
  above: Row,
  pairs: readonly Pair[],
): 'yes' | 'no' | 'spelt' | 'unsure' {
  const compared = pairs.map((pair) => {
    const [mine, theirs] = [row[pair.child] ?? null, above[pair.parent] ?? null];
    if (mine === null || theirs === null) return 'no';
    return compareReference(
      world.database,
      { type: typeOf(world, child, pair.child), value: mine },
      { type: typeOf(world, parent, pair.parent), value: theirs },
    );
  });
  return (['no', 'unsure', 'spelt'] as const).find((one) => compared.includes(one)) ?? 'yes';
}

export function hasForeignKey(world: World, child: string, { parent, pairs }: Via): boolean {
  const isAlong = (one: Pair) =>
    pairs.some((pair) => pair.child === one.child && pair.parent === one.parent);
  return tableOf(world, child).references.some(
    (one) =>
      one.onDelete !== null &&
      one.parent === parent &&
      one.pairs.length === pairs.length &&
      one.pairs.every(isAlong),
  );
}

import type { AnyType } from '../request/identity.ts';
import type { LookingUp } from './target.ts';

/** The types that a lookup gives, and those that other lookups then give by them, one after the other. */
export function chainedTypes(
  { resolve: { to } }: LookingUp,
  lookups: readonly LookingUp[],
): Set<AnyType> {
  const types = new Set<AnyType>([to.type]);
  for (let before = 0; before < types.size; ) {
    before = types.size;
    for (const { resolve } of lookups) if (types.has(resolve.from.type)) types.add(resolve.to.type);
  }
  return types;
}

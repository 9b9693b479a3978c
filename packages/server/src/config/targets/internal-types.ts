// Ids of the operator's own (`internal.<name>`): each is looked up in one place for a controller, and every target that uses
// one needs such a lookup.
import { type AnyType, isInternal } from '../../domain/request/identity.ts';
import { looksUp } from '../../domain/target/looks-up.ts';
import type { RestTargetConfig, S3TargetConfig, TargetConfig } from '../../domain/target/target.ts';
import type { Problems } from './fields.ts';
import { sharesController } from './shares-database.ts';

/** Adds to each target what the ids that it uses are looked up from. */
export function withLookedUpFrom(
  targets: readonly TargetConfig[],
  problems: Problems,
): TargetConfig[] {
  const lookups = targets.filter(looksUp);
  const withAll = targets.map((target) => {
    if (target.connector !== 's3' && target.connector !== 'rest') return target;
    const lookedUpFrom: Record<string, AnyType> = {};
    for (const type of typesOf(target)) {
      const givers = lookups.filter(
        (one) => one.resolve.to.type === type && sharesController(one, target),
      );
      if (givers.length === 0)
        problems.add(
          `targets.${target.name}`,
          `uses ${type}, which no "resolve" of a target gives for its controllers; add to: { internal: { ${type.slice('internal.'.length)}: <column> } } to one`,
        );
      const [from, ...others] = new Set(givers.map((one) => one.resolve.from.type));
      if (from !== undefined && others.length === 0) lookedUpFrom[type] = from;
    }
    return Object.keys(lookedUpFrom).length === 0 ? target : { ...target, lookedUpFrom };
  });
  for (const [at, one] of lookups.entries()) {
    const { type } = one.resolve.to;
    const other = lookups
      .slice(0, at)
      .find((before) => before.resolve.to.type === type && sharesController(before, one));
    if (isInternal(type) && other !== undefined)
      problems.add(
        `targets.${one.name}.resolve`,
        `gives ${type}, as ${other.name} does: the same number is another person there. Give each a name of its own`,
      );
  }
  return withAll;
}

function typesOf(target: S3TargetConfig | RestTargetConfig): string[] {
  const types =
    target.connector === 's3'
      ? target.objects.map(({ type }) => type)
      : target.recipe.objects.flatMap(({ finds }) => finds.map(({ type }) => type));
  return [...new Set(types.filter(isInternal))];
}

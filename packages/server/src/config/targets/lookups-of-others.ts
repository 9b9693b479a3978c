// Two targets on one database: one erases from the table in which the other looks identities up, or finds rows by the
// looked-up identities. Also collects what targets write into the columns of other targets' lookups.

import { chainedTypes } from '../../domain/target/chained-types.ts';
import { looksUp } from '../../domain/target/looks-up.ts';
import { lookupOverwrites } from '../../domain/target/lookup-overwrites.ts';
import { mayEraseFrom } from '../../domain/target/may-erase.ts';
import { needsIdentities } from '../../domain/target/needs-identities.ts';
import type {
  LookingUp,
  LookupOfOther,
  SqlTargetConfig,
  TargetConfig,
} from '../../domain/target/target.ts';
import { sharesDatabaseAndController } from './shares-database.ts';
import { isFile } from './sql/databases.ts';
import { takesRows } from './sql/takes-rows.ts';

/** Adds to each target the lookups of others that it repeats in its own transaction. */
export function withLookupsOfOthers(targets: readonly TargetConfig[]): TargetConfig[] {
  const lookups = targets.filter(looksUp);
  return targets.map((target) => {
    if (!('work' in target)) return target;
    const others = lookups.flatMap((source): LookupOfOther[] => {
      if (source === target || !sharesDatabaseAndController(source, target)) return [];
      if (!hasSameAccount(source, target)) return [];
      const isErased = erases(target, source);
      const isNeeded = needsIdentities(target, chainedTypes(source, lookups));
      return isErased || isNeeded ? [{ source, isErased }] : [];
    });
    return others.length === 0 ? target : { ...target, lookupsOfOthers: others };
  });
}

/** Adds to each target with a lookup what others write into its column. */
export function withOverwritesOfOthers(targets: readonly TargetConfig[]): TargetConfig[] {
  return targets.map((target) => {
    if (!looksUp(target)) return target;
    const others = targets.filter((other) => other !== target);
    const overwrittenByOthers = others.flatMap((other) => lookupOverwrites(other, target.resolve));
    return overwrittenByOthers.length === 0 ? target : { ...target, overwrittenByOthers };
  });
}

/** With another account the name may mean another table, or the table may not be readable. */
function hasSameAccount(one: SqlTargetConfig, other: SqlTargetConfig): boolean {
  if (isFile(one.connector) || isFile(other.connector)) return true;
  return new URL(one.address).username === new URL(other.address).username;
}

/** Hand-written statements are judged by their text alone. */
function erases(target: SqlTargetConfig, { resolve: { table, from, to } }: LookingUp): boolean {
  const { work } = target;
  if (work.kind === 'tables') return mayEraseFrom(target, table);
  return work.erase.some((statement) => takesRows(statement, table, [from.column, to.column]));
}

// Two targets on one database, of which one erases from the table that the other looks identities up in.
import { mayEraseFrom } from '../../domain/target/may-erase.ts';
import type { LookingUp, SqlTargetConfig, TargetConfig } from '../../domain/target/target.ts';
import { takesRows } from './sql/takes-rows.ts';
import { worksBeside } from './works-beside.ts';

/** Each target with the lookups of others whose rows it erases: it asks them in its own transaction. */
export function withLookupsOfOthers(targets: readonly TargetConfig[]): TargetConfig[] {
  return targets.map((target) => {
    if (!('work' in target)) return target;
    const others = targets.filter(
      (other): other is LookingUp =>
        other !== target &&
        looksUp(other) &&
        worksBeside(other, target) &&
        hasSameAccount(other, target) &&
        erases(target, other),
    );
    return others.length === 0 ? target : { ...target, lookupsOfOthers: others };
  });
}

/** Another account may see another table under that name, or not be allowed to read it. */
function hasSameAccount(one: SqlTargetConfig, other: SqlTargetConfig): boolean {
  if (one.connector === 'sqlite' || other.connector === 'sqlite') return true;
  return new URL(one.address).username === new URL(other.address).username;
}

const looksUp = (target: TargetConfig): target is LookingUp =>
  'resolve' in target && target.resolve !== null;

/** The account of hand-written statements may not read a table that they do not name. */
function erases(target: SqlTargetConfig, { resolve: { table, from, to } }: LookingUp): boolean {
  const { work } = target;
  if (work.kind === 'tables') return mayEraseFrom(target, table);
  return work.erase.some((statement) => takesRows(statement, table, [from.column, to.column]));
}

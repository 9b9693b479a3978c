// The order in which the targets of a request erase. A target that erases rows in which identities are looked up runs
// after all targets that use those identities, so that each identity can be proven when it is used. `after` adds to
// this order, or overrides it.

import { didYouMean } from '../../domain/did-you-mean.ts';
import { chainedTypes } from '../../domain/target/chained-types.ts';
import { looksUp } from '../../domain/target/looks-up.ts';
import { mayEraseFrom } from '../../domain/target/may-erase.ts';
import { needsIdentities } from '../../domain/target/needs-identities.ts';
import type { LookingUp, TargetConfig } from '../../domain/target/target.ts';
import type { Fields, Problems } from './fields.ts';
import { sharesController } from './shares-database.ts';
import { takesRows } from './sql/takes-rows.ts';

/** Adds to each target the names of those that it runs after. */
export function withRunOrder(targets: readonly TargetConfig[], problems: Problems): TargetConfig[] {
  const lookups = targets.filter(looksUp);
  const written = new Map(targets.map(({ name, after = [] }) => [name, after]));
  const order = new Map(targets.map(({ name, after }) => [name, new Set(after)]));
  const pairs = lookups
    .flatMap((lookup) => pairsFor(lookup, targets, lookups))
    .filter(({ first, last }) => written.get(first)?.includes(last) !== true);
  for (const { first, last } of pairs) order.get(last)?.add(first);
  // Where two targets look up the same type of identity, neither has to wait: each can prove most by itself.
  if (findCycle(order) !== undefined) {
    const needed = new Set(pairs.filter((one) => !one.looksUpItself).map(textOf));
    const isWritten = ({ first, last }: Pair) => written.get(last)?.includes(first) === true;
    for (const one of pairs)
      if (!needed.has(textOf(one)) && !isWritten(one)) order.get(one.last)?.delete(one.first);
  }
  const cycle = findCycle(order);
  if (cycle !== undefined) refuseCycle(cycle, targets, problems);
  return targets.map((target) => {
    const runsAfter = [...(order.get(target.name) ?? [])].sort();
    return runsAfter.length === 0 ? target : { ...target, runsAfter };
  });
}

/** `first` needs looked-up identities; `last` erases from the table of the lookup. */
interface Pair {
  readonly first: string;
  readonly last: string;
  /** `first` has its own lookup for the same type. */
  readonly looksUpItself: boolean;
}

const textOf = ({ first, last }: Pair) => `${first} ${last}`;

function pairsFor(
  lookup: LookingUp,
  targets: readonly TargetConfig[],
  lookups: readonly LookingUp[],
): Pair[] {
  const types = chainedTypes(lookup, lookups);
  const asked = targets.filter((target) => sharesController(target, lookup));
  const erasers = asked.filter((target) => erasesFrom(target, lookup));
  return erasers.flatMap((last) =>
    asked
      .filter((first) => first !== last && needsIdentities(first, types))
      // Several targets may erase from the looked-up table. Last come those that need none of its identities; just
      // before them comes the target that looks up.
      .filter(
        (first) => !erasers.includes(first) || last === lookup || !needsIdentities(last, types),
      )
      .map(
        (first): Pair => ({
          first: first.name,
          last: last.name,
          looksUpItself: looksUp(first) && first.resolve.to.type === lookup.resolve.to.type,
        }),
      ),
  );
}

/** False for endpoints and modules, of which this is not known: the operator configures `after`. */
function erasesFrom(target: TargetConfig, lookup: LookingUp): boolean {
  if (!('work' in target)) return false;
  const { table, from, to } = lookup.resolve;
  if (target.work.kind === 'tables') return mayEraseFrom(target, table);
  const takes = (statement: string) => takesRows(statement, table, [from.column, to.column]);
  return target === lookup || target.work.erase.some(takes);
}

/** `names`: of all targets, also of those that could not be read. */
export function refuseUnknownInAfter(
  target: string,
  fields: Fields,
  names: readonly string[],
): void {
  const others = names.filter((name) => name !== target);
  for (const other of fields.has('after') ? fields.items('after') : []) {
    if (typeof other !== 'string' || other === '') continue;
    if (other === target) fields.problem('after', 'names the target itself; leave it out');
    else if (!others.includes(other))
      fields.problem('after', `there is no target ${other}${didYouMean(other, others)}`);
  }
}

/** A cycle of targets: each runs after the next, and the last after the first. */
function findCycle(order: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const acyclic = new Set<string>();
  const visit = (name: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(name)) return path.slice(path.indexOf(name));
    if (acyclic.has(name)) return undefined;
    for (const first of order.get(name) ?? []) {
      const cycle = visit(first, [...path, name]);
      if (cycle !== undefined) return cycle;
    }
    acyclic.add(name);
    return undefined;
  };
  for (const name of order.keys()) {
    const cycle = visit(name, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function refuseCycle(
  cycle: readonly string[],
  targets: readonly TargetConfig[],
  problems: Problems,
): void {
  const [last = '', first = ''] = cycle;
  const names = [...cycle, last].join(' after ');
  const isWritten = targets.some(({ name, after }) => cycle.includes(name) && after !== undefined);
  problems.add(
    `targets.${last}${isWritten ? '.after' : ''}`,
    `no order of the targets is possible: ${names}. A target that erases from the table of a "resolve" runs after those that are found by what is looked up there. List the tables in one target, remove a "resolve", or write "after: [${first}]" at ${last}, for example, and nothing the other way round. What cannot be looked up any more by then is held for a person`,
  );
}

// Every declared table must be searched: by an identity of the request, or by a parent that was searched.
// A table that cannot be searched may hold rows of the person that would go unnoticed.
import type { AnyType } from '../../../domain/request/identity.ts';
import type { Held, Subject } from '../../../domain/target/connector.ts';
import type { Plan, PlannedTable } from '../plan/plan.ts';

export interface AskedTables {
  /** Whether the target can be searched at all. */
  readonly any: boolean;
  /** Tables that are left out because of `when_unmatched: skip`. */
  readonly skipped: readonly string[];
  readonly held: Held | undefined;
}

export function askedTables(
  plan: Plan,
  { identities, unprovenTypes = [] }: Subject,
  /** A type for which the target's own lookup has no value for the person. */
  hasNone?: AnyType,
): AskedTables {
  const types = new Set([...identities.map(({ type }) => type), ...unprovenTypes]);
  if (hasNone !== undefined) types.add(hasNone);
  const { any, left } = unaskedTables(plan, types);
  const open = left.filter(({ whenUnmatched }) => whenUnmatched === 'hold');
  return {
    any,
    skipped: left.flatMap(({ name, whenUnmatched }) => (whenUnmatched === 'skip' ? name : [])),
    held: open.length === 0 ? undefined : unasked(open.map(({ name }) => name)),
  };
}

/** The tables that cannot be searched with identities of these types. */
export function unaskedTables(
  { tables }: Plan,
  types: ReadonlySet<AnyType>,
): { readonly any: boolean; readonly left: readonly PlannedTable[] } {
  const asked = new Set<string>();
  const left: PlannedTable[] = [];
  for (const table of tables) {
    const isAsked =
      table.matches.some(({ type }) => types.has(type)) ||
      table.vias.some(({ entries }) => entries.some((parent) => asked.has(parent)));
    if (isAsked) asked.add(table.name);
    else if (!table.isCascaded) left.push(table);
  }
  return { any: asked.size > 0, left };
}

function unasked(names: readonly string[]): Held {
  return {
    outcome: 'held',
    reason: 'no_usable_identity',
    detail: `the request has no identity to ask ${names.join(', ')} with; add one (unwrite request identify), or say "when_unmatched: skip" for the table, reload and release; or retain. Where the request was completed before, submit another one with the identity, and retain this task`,
  };
}

// What the lookups of all targets give for a request, at one moment.
import type { IdentityType } from '@unwrite/protocol';
import type { Snapshot, World } from '../../declared-world.ts';
import type { GeneratedRequest, GivenIdentity } from '../../generated-case.ts';
import { lookUp, nameOf } from '../../judge/look-up.ts';
import type { SeveralCase, SeveralTarget } from '../several-case.ts';

export type Identities = ReadonlyMap<string, GivenIdentity>;

export const byName = (identities: readonly GivenIdentity[]): Map<string, GivenIdentity> =>
  new Map(identities.map((identity) => [nameOf(identity), identity]));

export function isFor({ configuration }: SeveralTarget, { controllerId }: GeneratedRequest) {
  const { tenancy } = configuration;
  return tenancy.way !== 'controller' || tenancy.controllerId === controllerId;
}

export function worldOf(generated: SeveralCase, { configuration }: SeveralTarget): World {
  const { database, tables, requests, targets } = generated;
  const others = targets.map((one) => one.configuration).filter((one) => one !== configuration);
  return { database, tables, requests, configuration, others };
}

/** What one target's lookup gives by these identities. */
export function givenBy(
  generated: SeveralCase,
  target: SeveralTarget,
  rows: Snapshot,
  request: GeneratedRequest,
  identities: readonly GivenIdentity[],
): GivenIdentity[] {
  if (!isFor(target, request)) return [];
  const asked = { controllerId: request.controllerId, identities };
  return lookUp(worldOf(generated, target), rows, asked) ?? [];
}

/** What was submitted or added, and what the lookups give by it, one after the other, now. Of all targets, or of some. */
export function provenOf(
  generated: SeveralCase,
  rows: Snapshot,
  request: GeneratedRequest,
  given: readonly GivenIdentity[],
  sources?: ReadonlySet<string>,
): Map<string, GivenIdentity> {
  const proven = byName(given);
  for (let before = -1; before < proven.size; ) {
    before = proven.size;
    for (const target of generated.targets) {
      if (sources?.has(target.name) === false) continue;
      const found = givenBy(generated, target, rows, request, [...proven.values()]);
      for (const [name, identity] of byName(found))
        if (!proven.has(name)) proven.set(name, identity);
    }
  }
  return proven;
}

/** Whether the target deletes or overwrites rows of the table, itself or by a foreign key. */
export function erasesFrom({ configuration }: SeveralTarget, name: string): boolean {
  const { tables, cascades } = configuration;
  return (
    cascades.includes(name) ||
    tables.some(({ table, action }) => table === name && action !== 'retain')
  );
}

/** Whether the target finds rows by what is looked up there, or by what other lookups give from that. */
function isFoundBy(
  { targets }: SeveralCase,
  { configuration }: SeveralTarget,
  given: IdentityType,
): boolean {
  const types = new Set([given]);
  for (const _ of targets) {
    for (const { resolve } of targets.map((one) => one.configuration))
      if (resolve !== null && types.has(resolve.from.type)) types.add(resolve.to.type);
  }
  return configuration.tables.some(({ match }) =>
    [...types].some((type) => match[type] !== undefined),
  );
}

/** A lookup in a table that the target erases from, or one whose values it finds rows by, gives a value that is no identity of the request. */
export function givesAnother(
  use: 'erased' | 'needed',
  generated: SeveralCase,
  target: SeveralTarget,
  rows: Snapshot,
  request: GeneratedRequest,
  given: readonly GivenIdentity[],
  known: Identities,
): boolean {
  // What is proven of it is what lookups are asked by.
  const proven = [...provenOf(generated, rows, request, given).values()].filter((one) =>
    known.has(nameOf(one)),
  );
  return generated.targets.some((source) => {
    const { resolve } = source.configuration;
    if (resolve === null) return false;
    const isUsed =
      use === 'erased'
        ? erasesFrom(target, resolve.table)
        : source !== target && isFoundBy(generated, target, resolve.to.type);
    if (!isUsed) return false;
    return givenBy(generated, source, rows, request, proven).some((one) => !known.has(nameOf(one)));
  });
}

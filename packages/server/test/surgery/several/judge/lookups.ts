// What the lookups of all targets give for a request, at one moment.
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
  const { database, tables, requests } = generated;
  return { database, tables, requests, configuration };
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
  const written = placeholdersOf(generated, target);
  const asked = { controllerId: request.controllerId, identities };
  const found = lookUp(worldOf(generated, target), rows, asked) ?? [];
  return found.filter(({ value }) => !written.has(value));
}

/** What any target writes into the column that this one looks up: nobody's identity. */
function placeholdersOf({ targets }: SeveralCase, { configuration }: SeveralTarget): Set<string> {
  const { resolve } = configuration;
  const values = targets.flatMap((one) =>
    one.configuration.tables.flatMap(({ table, action }) => {
      if (resolve?.table !== table || typeof action === 'string') return [];
      const value = action.overwrite[resolve.to.column];
      return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
    }),
  );
  return new Set(values);
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

/** A lookup in a table that the target erases from gives a value that is no identity of the request. */
export function givesAnother(
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
    if (resolve === null || !erasesFrom(target, resolve.table)) return false;
    return givenBy(generated, source, rows, request, proven).some((one) => !known.has(nameOf(one)));
  });
}

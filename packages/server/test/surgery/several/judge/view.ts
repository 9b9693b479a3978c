// One task of one run, as the rules see it at one moment.
import { entryOf, type Snapshot, type World } from '../../declared-world.ts';
import type { GeneratedRequest, GivenIdentity } from '../../generated-case.ts';
import { isAsConfigured } from '../../judge/is-as-configured.ts';
import { nameOf } from '../../judge/look-up.ts';
import { findOwnership, type Ownership } from '../../judge/model.ts';
import type { RunRecord, RunTask } from '../run-record.ts';
import type { SeveralCase, SeveralTarget } from '../several-case.ts';
import { byName, erasesFrom, givenBy, givesAnother, provenOf, worldOf } from './lookups.ts';

export interface View {
  readonly request: GeneratedRequest;
  /** By identities that count now. */
  readonly owned: Ownership;
  /** By all that are known. */
  readonly all: Ownership;
  /** Rows that only identities find which do not count. With those that are retained. */
  readonly alone: readonly { readonly table: string; readonly rid: string; stays: boolean }[];
  /** A lookup in a table that the target erases from gives a value that is no identity of the request. */
  readonly givesAnother: boolean;
  /** A lookup of another target whose values it finds rows by does. It is asked before the transaction, and not inside. */
  readonly needsAnother: boolean;
  /** Its own lookup does, whatever it erases from, or one beside statements: to hold is no mistake. */
  readonly ownGivesAnother: boolean;
  readonly proven: readonly GivenIdentity[];
  /** Some are given by none of the lookups that have to be asked: another one does not prove them, or does. */
  readonly isDoubtful: boolean;
}

export function targetOf({ targets }: SeveralCase, name: string): SeveralTarget {
  const found = targets.find((target) => target.name === name);
  if (found === undefined) throw new Error(`there is no target ${name}`);
  return found;
}

export function viewAt(
  generated: SeveralCase,
  run: RunRecord,
  task: RunTask,
  rows: Snapshot,
): View {
  const target = targetOf(generated, run.target);
  const request = generated.requests[task.request];
  if (request === undefined) throw new Error('there is no such request');
  const given = run.given[task.request] ?? [];
  const world = worldOf(generated, target);
  const known = byName(task.known);
  const proven = [...provenOf(generated, rows, request, given)]
    .filter(([name]) => known.has(name))
    .map(([, identity]) => identity);
  const { controllerId } = request;
  const askedBy = task.known.map(({ type }) => type);
  const owned = ownershipOf(world, rows, { controllerId, identities: proven, askedBy });
  const all = findOwnership(world, rows, { controllerId, identities: task.known });
  const alone = [...all.claims].flatMap(([table, claims]) =>
    [...claims.keys()]
      .filter((rid) => !owned.claims.get(table)?.has(rid))
      .map((rid) => {
        const row = rows.get(table)?.get(rid);
        const entry = row && entryOf(world, table, row);
        return { table, rid, stays: entry === undefined || isAsConfigured(entry, row) };
      }),
  );
  const isGivenBy = (use: 'erased' | 'needed') =>
    givesAnother(use, generated, target, rows, request, given, known);
  // Which tables statements erase from is not told by all of them.
  const asked = target.isByHand ? generated.targets : [target];
  const found = asked.flatMap((source) => givenBy(generated, source, rows, request, proven));
  const ownGivesAnother = found.some((one) => !known.has(nameOf(one)));
  const narrow = provenOf(generated, rows, request, given, lookupsAt(generated, target, task));
  const isDoubtful = proven.some((one) => !narrow.has(nameOf(one)));
  const others = { givesAnother: isGivenBy('erased'), needsAnother: isGivenBy('needed') };
  return { request, owned, all, alone, proven, isDoubtful, ownGivesAnother, ...others };
}

/** Those that have found something, the target's own, and those whose rows it erases. */
function lookupsAt(generated: SeveralCase, target: SeveralTarget, { sources }: RunTask) {
  const erased = generated.targets.filter(
    ({ configuration: { resolve } }) => resolve !== null && erasesFrom(target, resolve.table),
  );
  return new Set([...sources, target.name, ...erased.map(({ name }) => name)]);
}

/** Whether what its lookup gives may hold it is decided here, by the lookups of all targets. */
function ownershipOf(world: World, rows: Snapshot, request: GeneratedRequest): Ownership {
  const configuration = { ...world.configuration, resolve: null };
  const { mayHold } = findOwnership({ ...world, configuration }, rows, request);
  return { ...findOwnership(world, rows, request), mayHold };
}

/** Rows of the person that are not as the configuration would leave them. */
export function leftOf(
  generated: SeveralCase,
  name: string,
  { claims }: Ownership,
  rows: Snapshot,
): string[] {
  const world = worldOf(generated, targetOf(generated, name));
  return [...claims].flatMap(([table, ofTable]) =>
    [...ofTable].flatMap(([rid, claim]) => {
      const row = rows.get(table)?.get(rid);
      const entry = row && entryOf(world, table, row);
      const isLeft = claim === 'own' && entry !== undefined && !isAsConfigured(entry, row);
      return isLeft ? [`${table} ${rid}`] : [];
    }),
  );
}

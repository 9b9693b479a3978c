// What the target's own lookup (`resolve`) says now: it was asked when the request started, and rows may have
// come, gone or been given to others since.
import type { IdentityType } from '@unwrite/protocol';
import type { Identity } from '../../../domain/request/identity.ts';
import type { Held, Subject } from '../../../domain/target/connector.ts';
import type { ResolveConfig } from '../../../domain/target/target.ts';
import { type LookupTarget, namesSomebodyElse, resolveIdentities } from './resolve-identities.ts';

export interface LookedUpAgain {
  /** By the number of the task: the type that is looked up, where the target has no value of it for the person. */
  readonly unknown: ReadonlyMap<number, IdentityType>;
  /** Requests whose looked-up identities are not what the target says now. */
  readonly changed: ReadonlyMap<number, Held>;
}

/** For other targets, which erase by what was looked up here; what has come since is told when this one erases. */
export async function doubtLookedUp(
  target: LookupTarget,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
): Promise<(Held | undefined)[]> {
  const found = await lookUp(target, resolve, subjects);
  const doubted = subjects.flatMap((subject, place) => {
    const identities = goneFrom(subject, found[place]);
    return identities.length === 0 ? [] : [{ ...subject, identities }];
  });
  if (doubted.length === 0) return subjects.map(() => undefined);
  const others = await namesSomebodyElse(target, resolve, doubted);
  const taken = new Set(doubted.flatMap(({ taskNo }, place) => (others[place] ? taskNo : [])));
  return subjects.map(({ taskNo }) => (taken.has(taskNo) ? anothers(resolve) : undefined));
}

export async function lookUpAgain(
  target: LookupTarget,
  subjects: readonly Subject[],
): Promise<LookedUpAgain> {
  const { resolve } = target.config;
  const unknown = new Map<number, IdentityType>();
  const changed = new Map<number, Held>();
  if (resolve === null) return { unknown, changed };
  const all = await lookUp(target, resolve, subjects);
  const doubted: Subject[] = [];
  subjects.forEach((subject, place) => {
    const { taskNo, identities } = subject;
    const found = all[place] ?? [];
    const known = new Set(identities.map(nameOf));
    if (found.some((identity) => !known.has(nameOf(identity)))) changed.set(taskNo, more(resolve));
    const gone = goneFrom(subject, found);
    if (gone.length > 0) doubted.push({ ...subject, identities: gone });
    const isNone = all[place]?.length === 0;
    if (isNone && !hasType(identities, resolve.to.type)) unknown.set(taskNo, resolve.to.type);
  });
  const others = doubted.length === 0 ? [] : await namesSomebodyElse(target, resolve, doubted);
  doubted.forEach(({ taskNo }, place) => {
    if (others[place] === true && !changed.has(taskNo)) changed.set(taskNo, anothers(resolve));
  });
  return { unknown, changed };
}

/** Undefined where nothing can be looked up for the subject, or the answer is no list of values. */
async function lookUp(
  target: LookupTarget,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
): Promise<(readonly Identity[] | undefined)[]> {
  const given = subjects.map(withoutLookedUp);
  const asked = given.filter(({ identities }) => hasType(identities, resolve.from.type));
  const resolutions = asked.length === 0 ? [] : await resolveIdentities(target, resolve, asked);
  return given.map((subject) => {
    const resolution = resolutions[asked.indexOf(subject)];
    return resolution?.outcome === 'resolved' ? resolution.identities : undefined;
  });
}

/** What was looked up and is not found any more. */
function goneFrom(
  { lookedUp = [] }: Subject,
  found: readonly Identity[] | undefined = [],
): Identity[] {
  const still = new Set(found.map(nameOf));
  return lookedUp.filter((identity) => !still.has(nameOf(identity)));
}

function withoutLookedUp({ identities, lookedUp = [], ...subject }: Subject): Subject {
  return { ...subject, identities: identities.filter((identity) => !lookedUp.includes(identity)) };
}

function hasType(identities: readonly Identity[], type: IdentityType): boolean {
  return identities.some((identity) => identity.type === type);
}

function nameOf(identity: Identity): string {
  return `${identity.type} ${identity.matchKey()}`;
}

function more({ table, to }: ResolveConfig): Held {
  return {
    outcome: 'held',
    reason: 'ambiguous_reference',
    detail: `since the request started, another ${to.type} for it has appeared in ${table} ("resolve"); add it (unwrite request identify), then release, or retain the task`,
  };
}

function anothers({ table, to }: ResolveConfig): Held {
  return {
    outcome: 'held',
    reason: 'ambiguous_reference',
    detail: `a ${to.type} that ${table} gave for this request ("resolve") is somebody else's there by now; correct the data, then release, or retain the task and submit the request anew`,
  };
}

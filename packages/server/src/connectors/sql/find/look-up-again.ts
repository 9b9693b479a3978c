// What the target's own lookup (`resolve`) says now: it was asked when the request started, and rows may have
// come, gone or been given to others since.
import type { IdentityType } from '@unwrite/protocol';
import type { Identity } from '../../../domain/request/identity.ts';
import type { Held, Subject } from '../../../domain/target/connector.ts';
import type { ResolveConfig } from '../../../domain/target/target.ts';
import type { TablesTarget } from '../tables-target.ts';
import { namesSomebodyElse, resolveIdentities } from './resolve-identities.ts';

export interface LookedUpAgain {
  /** By the number of the task: the type that is looked up, where the target has no value of it for the person. */
  readonly unknown: ReadonlyMap<number, IdentityType>;
  /** Requests whose looked-up identities are not what the target says now. */
  readonly changed: ReadonlyMap<number, Held>;
}

export async function lookUpAgain(
  target: TablesTarget,
  subjects: readonly Subject[],
): Promise<LookedUpAgain> {
  const { resolve } = target.config;
  const unknown = new Map<number, IdentityType>();
  const changed = new Map<number, Held>();
  if (resolve === null) return { unknown, changed };
  const given = subjects.map(withoutLookedUp);
  const asked = given.filter(({ identities }) => hasType(identities, resolve.from.type));
  const resolutions = asked.length === 0 ? [] : await resolveIdentities(target, resolve, asked);
  const now = new Map(asked.map(({ taskNo }, place) => [taskNo, resolutions[place]]));
  const doubted: Subject[] = [];
  for (const subject of subjects) {
    const { taskNo, identities, lookedUp = [] } = subject;
    const resolution = now.get(taskNo);
    const found = resolution?.outcome === 'resolved' ? resolution.identities : [];
    const known = new Set(identities.map(nameOf));
    if (found.some((identity) => !known.has(nameOf(identity)))) changed.set(taskNo, more(resolve));
    const still = new Set(found.map(nameOf));
    const gone = lookedUp.filter((identity) => !still.has(nameOf(identity)));
    if (gone.length > 0) doubted.push({ ...subject, identities: gone });
    const isNone = resolution?.outcome === 'resolved' && found.length === 0;
    if (isNone && !hasType(identities, resolve.to.type)) unknown.set(taskNo, resolve.to.type);
  }
  const others = doubted.length === 0 ? [] : await namesSomebodyElse(target, resolve, doubted);
  doubted.forEach(({ taskNo }, place) => {
    if (others[place] === true && !changed.has(taskNo)) changed.set(taskNo, anothers(resolve));
  });
  return { unknown, changed };
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

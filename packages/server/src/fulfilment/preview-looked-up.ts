// What looked-up identities mean for a preview: they are looked up now and compared with those of the request.
import type { Identity } from '../domain/request/identity.ts';
import {
  type Connector,
  type Failed,
  type Held,
  type Preview,
  type Resolution,
  type Subject,
  TargetDown,
  totalOf,
} from '../domain/target/connector.ts';
import { looksUp } from '../domain/target/looks-up.ts';
import { givesMore, isUnproven } from '../domain/target/lookup-words.ts';
import { mayEraseFrom } from '../domain/target/may-erase.ts';
import type { PreviewFacts } from '../domain/target/preview.ts';
import type { LookingUp, TargetConfig } from '../domain/target/target.ts';
import { foundAlone } from './lookup/preview-doubtful.ts';
import { whereOf } from './lookup/proved-task.ts';
import { nameOf } from './open-subjects.ts';

export type Connect = (target: TargetConfig) => Promise<Connector>;

export interface LookedUpNow {
  /** Given and looked-up identities. */
  readonly identities: readonly Identity[];
  /** Looked-up identities of the request that no lookup gives now. */
  readonly unproven: readonly Identity[];
  /** Why a target cannot look up, by target. */
  readonly trouble: ReadonlyMap<string, Held | Failed>;
  /** Lookups that give a value that the request does not have, although it has looked up. */
  readonly more: readonly LookingUp[];
}

/** Repeats lookups as a run does: what one target finds may lead another to more. */
export async function lookUpNow(
  mine: readonly TargetConfig[],
  connectorOf: Connect,
  subject: Subject,
  { lookedUp = [], taskAt }: PreviewFacts,
): Promise<LookedUpNow> {
  const trouble = new Map<string, Held | Failed>();
  const before = new Map(lookedUp.flatMap((it) => it.identities).map(byName));
  const known = new Set([...subject.identities.map(nameOf), ...before.keys()]);
  const more = new Set<LookingUp>();
  let all = onlyOnce(subject.identities);
  for (let count = -1; count < all.length; ) {
    count = all.length;
    for (const target of mine.filter(looksUp)) {
      if (trouble.has(target.name)) continue;
      const resolution = await resolveAt(target, connectorOf, { ...subject, identities: all });
      if (resolution.outcome !== 'resolved') {
        trouble.set(target.name, resolution);
        continue;
      }
      const isMore = resolution.identities.some((one) => !known.has(nameOf(one)));
      if (isMore && taskAt(target.name) !== undefined) more.add(target);
      all = onlyOnce([...all, ...resolution.identities]);
    }
  }
  const now = new Set(all.map(nameOf));
  const unproven = [...before.values()].filter((one) => !now.has(nameOf(one)));
  return { identities: all, unproven, trouble, more: [...more] };
}

export interface PreviewedTarget {
  readonly target: TargetConfig;
  readonly connector: Connector;
  readonly subject: Subject;
  /** What the target finds by proven identities. */
  readonly found: Preview;
}

interface Lookups extends Pick<LookedUpNow, 'unproven' | 'more'>, Pick<PreviewFacts, 'lookedUp'> {
  /** Targets of the controller. */
  readonly mine: readonly TargetConfig[];
}

/** Why looked-up identities would hold a run, if they would. */
export async function heldForLookups(
  { target, connector, subject, found }: PreviewedTarget,
  { unproven, more, mine, lookedUp = [] }: Lookups,
): Promise<Held | undefined> {
  const given = more.find((one) => one === target || mayEraseFrom(target, one.resolve.table));
  if (given !== undefined && found.outcome === 'found') return givesMore(given.resolve);
  if (unproven.length === 0) return undefined;
  const identities = [...subject.identities, ...unproven];
  const [all] = await connector.preview([{ ...subject, identities }]);
  const alone = foundAlone(all, found);
  if (totalOf(alone) === 0) return undefined;
  const names = new Set(unproven.map(nameOf));
  const source = lookedUp.find((one) => one.identities.some((it) => names.has(nameOf(it))))?.source;
  const looksUpAt = mine.find(({ name }) => name === source);
  return isUnproven(whereOf(source ?? '', looksUpAt), unproven, alone);
}

const byName = (identity: Identity) => [nameOf(identity), identity] as const;

const onlyOnce = (identities: readonly Identity[]) => [...new Map(identities.map(byName)).values()];

async function resolveAt(
  target: TargetConfig,
  connectorOf: Connect,
  subject: Subject,
): Promise<Resolution> {
  try {
    const connector = await connectorOf(target);
    const [resolution] = (await connector.resolve?.([subject])) ?? [];
    return resolution ?? { outcome: 'resolved', identities: [] };
  } catch (error) {
    return failureOf(error);
  }
}

export function failureOf(error: unknown): Failed {
  if (!(error instanceof TargetDown)) throw error;
  return { outcome: 'failed', code: error.code, detail: error.message };
}

// Repeats the target's own lookup (`resolve`). It was made when the request started, and rows may have been added,
// deleted or given to others since. Why: docs/adr/0031-looked-up-identities.md.
import type { AnyType, Identity } from '../../../../domain/request/identity.ts';
import type { Failed, Held, Subject } from '../../../../domain/target/connector.ts';
import { givesMore } from '../../../../domain/target/lookup-words.ts';
import type { ResolveConfig, SqlTargetConfig } from '../../../../domain/target/target.ts';
import { runHalving } from '../../halve.ts';
import { runReadable } from '../../run-readable.ts';
import { identitiesOf, type LookupContext, lookUpValues, nameOf } from './lookup-values.ts';
import { areOthersOtherwise } from './lookups-of-others.ts';
import { areReliedLost, createAskLocked, type Given } from './relied-lookups.ts';
import { isForeign, type LookupTarget } from './resolve-identities.ts';

export interface LookedUpAgain {
  /** By task number: the looked-up type, if the target has no value of it for the person. */
  readonly unknown: ReadonlyMap<number, AnyType>;
  /** Requests for which the target gives a value that is not among their identities, or cannot answer. */
  readonly changed: ReadonlyMap<number, Held | Failed>;
}

/** Called before rows are searched. */
export async function lookUpAgain(
  { config, dialect, database }: LookupTarget,
  subjects: readonly Subject[],
): Promise<LookedUpAgain> {
  const { resolve } = config;
  const unknown = new Map<number, AnyType>();
  const changed = new Map<number, Held | Failed>();
  if (resolve === null) return { unknown, changed };
  const run = (batch: readonly Subject[]) =>
    database.transaction('read', async (session) => {
      const found = await lookUp({ session, dialect, config }, resolve, batch);
      return found.map((identities) => ({ outcome: 'given', identities }) as const);
    });
  const all = await runHalving(subjects, run, (subject, failure) =>
    runReadable({ database, dialect }, subject, failure, run),
  );
  subjects.forEach((subject, place) => {
    const { taskNo, identities, unproven = [] } = subject;
    const answer = all[place];
    if (answer?.outcome !== 'given') {
      if (answer !== undefined) changed.set(taskNo, answer);
      return;
    }
    const found = answer.identities;
    // A subject with unproven identities is looked up once more without them.
    if (unproven.length === 0 && hasMore(config, resolve, subject, found))
      changed.set(taskNo, givesMore(resolve));
    if (found?.length === 0 && !hasType(identities, resolve.to.type))
      unknown.set(taskNo, resolve.to.type);
  });
  return { unknown, changed };
}

/** In the erasing transaction, before the first change: whether a lookup contradicts what the orders rely on. */
export async function isLookedUpOtherwise(
  context: LookupContext,
  orders: readonly Subject[],
): Promise<boolean[]> {
  const own = await isOwnOtherwise(context, orders);
  const others = await areOthersOtherwise(context, orders);
  return orders.map((_, place) => own[place] === true || others[place] === true);
}

async function isOwnOtherwise(
  context: LookupContext,
  orders: readonly Subject[],
): Promise<boolean[]> {
  const { config } = context;
  const { resolve } = config;
  if (resolve === null) return orders.map(() => false);
  const ask = createAskLocked(context, resolve);
  const isLost = await areReliedLost(ask, config.name, orders);
  const all = await ask(orders.map(withoutLookedUp));
  return orders.map(
    (order, place) => isLost[place] === true || hasMore(config, resolve, order, all[place]),
  );
}

/** Looks up by identities that are given or proven otherwise. Undefined if the subject has none to look up by. */
async function lookUp(
  context: LookupContext,
  resolve: ResolveConfig,
  subjects: readonly Subject[],
): Promise<(Given | undefined)[]> {
  const given = subjects.map(withoutLookedUp);
  const asked = given.filter(
    (subject) =>
      hasType(subject.identities, resolve.from.type) && !isForeign(context.config, subject),
  );
  if (asked.length === 0) return subjects.map(() => undefined);
  const { lookup, values } = await lookUpValues(context, resolve, asked);
  return given.map((subject) => {
    const found = values[asked.indexOf(subject)];
    return found && [...found].map((value) => identitiesOf(new Set([value]), lookup, resolve));
  });
}

function hasMore(
  { work }: SqlTargetConfig,
  { table, limit }: ResolveConfig,
  { identities }: Subject,
  found: Given = [],
): boolean {
  const known = new Set(identities.map(nameOf));
  if (found.every((value) => value.some((identity) => known.has(nameOf(identity))))) return false;
  // An operator has chosen among too many identities. If the rows of the lookup stay, it can be repeated.
  const isErased =
    work.kind === 'statements' ||
    work.cascades.includes(table) ||
    work.tables.some((entry) => entry.table === table);
  return isErased || found.length <= limit;
}

function withoutLookedUp({
  identities,
  lookedUp = [],
  unproven = [],
  ...subject
}: Subject): Subject {
  const left = new Set([...lookedUp, ...unproven].map(nameOf));
  return { ...subject, identities: identities.filter((identity) => !left.has(nameOf(identity))) };
}

function hasType(identities: readonly Identity[], type: AnyType): boolean {
  return identities.some((identity) => identity.type === type);
}

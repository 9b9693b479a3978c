// Attempts that began to erase and did not record how that ended: before anything else is decided, their targets
// are asked, using the plan of these attempts.
import { byName } from '../../domain/by-name.ts';
import {
  type Connector,
  type EraseOrder,
  type Failed,
  type Held,
  NO_ANSWER,
  type Preview,
  type Settled,
  type Settlement,
  type Subject,
} from '../../domain/target/connector.ts';
import { isSearchedElsewhere } from '../../domain/target/row-layout.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { OpenedIntent } from './intents.ts';
import { countKeys, hasRows } from './key-rows.ts';
import { isSamePlace } from './same-plan.ts';

export interface TriedBefore {
  readonly subject: Subject;
  readonly before: OpenedIntent | undefined;
}

/** What became of the rows that an intent was to erase, and of those that it only watched. */
export interface SettledIntent {
  readonly outcome: 'settled';
  readonly keys: Settled;
  readonly watched: Settled;
}

/** `known`: the answer for the other tables, if only some cannot be looked up. */
export type IntentSettlement = SettledIntent | (Held & { readonly known?: SettledIntent }) | Failed;

/** In the order given. Undefined if nothing has to be asked, or the target cannot be asked. */
export async function settleIntents(
  connector: Connector,
  target: TargetConfig,
  tasks: readonly TriedBefore[],
): Promise<(IntentSettlement | undefined)[]> {
  const answers: (IntentSettlement | undefined)[] = tasks.map(({ before }) =>
    before?.state === 'erasing' && !isSamePlace(before, target.planDigest) ? MOVED : undefined,
  );
  const { settle } = connector;
  if (settle === undefined) return answers;
  const asked = tasks.flatMap(({ subject, before }, place) =>
    before === undefined ||
    before.isFresh === true ||
    !isSamePlace(before, target.planDigest) ||
    answers[place] !== undefined
      ? []
      : [{ place, orders: ordersOf(subject, before, target.planDigest) }],
  );
  if (asked.every(({ orders }) => orders.length === 0)) return answers;
  const settlements = await settle.call(
    connector,
    asked.flatMap(({ orders }) => orders),
  );
  let next = 0;
  for (const { place, orders } of asked) {
    if (orders.length === 0) continue;
    answers[place] = combine(settlements.slice(next, next + orders.length), orders.length);
    next += orders.length;
  }
  return answers;
}

function combine(answers: readonly Settlement[], asked: number): IntentSettlement {
  if (answers.length < asked) return NO_ANSWER;
  const settled: Settled[] = [];
  for (const answer of answers) {
    if (answer.outcome === 'failed') return answer;
    if (answer.outcome === 'held') {
      const { known, ...held } = answer;
      return known === undefined
        ? held
        : { ...held, known: { outcome: 'settled', keys: known, watched: NOTHING } };
    }
    settled.push(answer);
  }
  const [keys = NOTHING, watched = NOTHING] = settled;
  return { outcome: 'settled', keys, watched };
}

const NOTHING: Settled = {
  outcome: 'settled',
  there: byName<never>(),
  tied: byName<never>(),
  gone: byName<never>(),
};

/**
 * An intent that cannot be looked up is void if nothing was touched for it, or if what was erased is recorded with
 * the task.
 */
export function isVoid(
  before: OpenedIntent | undefined,
  answer: IntentSettlement | undefined,
): boolean {
  return before !== undefined && before.state !== 'erasing' && answer?.outcome === 'held';
}

/** The answer for an intent that was, or may have been, carried out, even if some of its tables cannot be looked up. */
export function knownOf(
  before: OpenedIntent | undefined,
  answer: IntentSettlement | undefined,
): SettledIntent | undefined {
  if (answer?.outcome === 'settled') return answer;
  const wasCarriedOut = before?.state === 'done' || before?.voided !== undefined;
  return answer?.outcome === 'held' && wasCarriedOut ? answer.known : undefined;
}

/**
 * An intent that was only recorded is void under another plan, because nothing was touched for it. Rows that earlier
 * attempts erased may have other names there.
 */
function ordersOf(subject: Subject, before: OpenedIntent, plan: string): EraseOrder[] {
  const { keys, watched, counts, layout, gone, detachedRows, unnamedParents } = before;
  const isOther = before.plan !== plan && before.plan !== '';
  const order = {
    ...subject,
    keys,
    counts,
    ...(layout !== undefined && { layout }),
    ...(isOther && gone !== undefined && { gone }),
    ...(unnamedParents !== undefined && { unnamedParents }),
  };
  if (before.state === 'recorded' && isOther && before.voided === undefined)
    return hasRows(gone) ? [{ ...order, keys: byName<never>(), counts: byName<never>() }] : [];
  const hasDetached = detachedRows !== undefined && before.state !== 'recorded';
  const whole = { ...order, ...(hasDetached && { detaching: detachedRows }) };
  if (watched === undefined || !hasRows(watched)) return [whole];
  return [whole, { ...order, keys: watched, counts: countKeys(watched) }];
}

/** Hand-written statements cannot ask about rows in other schemas than those in which their names are looked for now. */
export function askedElsewhere(
  before: OpenedIntent | undefined,
  preview: Preview | undefined,
): Held | undefined {
  if (before?.state !== 'erasing' || preview?.outcome !== 'found') return undefined;
  return isSearchedElsewhere(before, preview) ? OTHER_PATH : undefined;
}

const OTHER_PATH: Held = {
  outcome: 'held',
  reason: 'unsettled',
  detail:
    'an earlier attempt began to erase when the account had another search_path, and how it ended cannot be asked here; check in the schemas of that search_path whether the rows are gone, then release: the receipt will not claim what that attempt erased',
};

const MOVED: Held = {
  outcome: 'held',
  reason: 'unsettled',
  detail:
    'an earlier attempt began to erase when the target had another address, and how it ended cannot be asked here; check there whether the rows are gone, then release: the receipt will not claim what that attempt erased',
};

// Attempts that began to erase and did not say how it ended: their targets are asked, by the plan that the
// attempts had, before anything else is decided.
import type {
  Connector,
  EraseOrder,
  Failed,
  Held,
  Settlement,
  Subject,
} from '../domain/connector.ts';
import type { TargetConfig } from '../domain/target.ts';
import { isSamePlace } from './carry-on.ts';
import type { OpenedIntent } from './intents.ts';

export interface TriedBefore {
  readonly subject: Subject;
  readonly before: OpenedIntent | undefined;
}

/** Undefined where nothing has to be asked, or the target cannot be. In the order given. */
export async function settleIntents(
  connector: Connector,
  target: TargetConfig,
  tasks: readonly TriedBefore[],
): Promise<(Settlement | undefined)[]> {
  const answers: (Settlement | undefined)[] = tasks.map(({ before }) =>
    before?.state === 'erasing' && !isSamePlace(before, target.planDigest) ? MOVED : undefined,
  );
  const { settle } = connector;
  if (settle === undefined) return answers;
  const asked = tasks.flatMap(({ subject, before }, place) =>
    before === undefined ||
    before.isFresh === true ||
    !isSamePlace(before, target.planDigest) ||
    (before.state === 'recorded' && before.plan !== target.planDigest && before.plan !== '') ||
    answers[place] !== undefined
      ? []
      : [{ place, order: orderOf(subject, before) }],
  );
  if (asked.length === 0) return answers;
  const settlements = await settle.call(
    connector,
    asked.map(({ order }) => order),
  );
  asked.forEach(({ place }, index) => {
    answers[place] = settlements[index] ?? NO_ANSWER;
  });
  return answers;
}

/** A recorded intent that cannot be looked up is void: nothing was touched for it. */
export function isVoid(before: OpenedIntent | undefined, answer: Settlement | undefined): boolean {
  return before?.state === 'recorded' && answer?.outcome === 'held';
}

function orderOf(subject: Subject, { keys, counts, layout }: OpenedIntent): EraseOrder {
  return { ...subject, keys, counts, ...(layout !== undefined && { layout }) };
}

const MOVED: Held = {
  outcome: 'held',
  reason: 'unsettled',
  detail:
    'an earlier attempt began to erase when the target had another address, and how it ended cannot be asked here; look there whether the rows are gone, then release: what that attempt erased will not be claimed',
};

const NO_ANSWER: Failed = {
  outcome: 'failed',
  code: 'no_outcome',
  detail: 'the connector gave no answer',
};

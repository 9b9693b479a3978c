// What an earlier attempt means for this one: the rows that it has erased, or may have erased.
import { byName } from '../../domain/by-name.ts';
import type { Found, Keys } from '../../domain/target/connector.ts';
import { keysOf } from '../evidence/detached-rows.ts';
import type { OpenedIntent } from './intents.ts';
import { addKeys, hasRows } from './key-rows.ts';
import { rowsByLayout } from './same-plan.ts';

export interface CarriedOn {
  /** All rows that earlier attempts erased, or may have erased: nothing may refer to them, and each counts once. */
  readonly gone: Keys;
  /** Those of them that were erased under another plan. */
  readonly goneElsewhere: Keys;
  /** Rows that earlier attempts detached. */
  readonly detachedBefore: Keys;
  /** The times that earlier attempts wrote. */
  readonly times: readonly string[];
  /** Whether an earlier attempt has erased: then rows that it kept and retained cannot be found any more. */
  readonly isErased: boolean;
}

export interface EarlierAttempt {
  readonly intent: OpenedIntent | undefined;
  readonly isSamePlan: boolean;
  readonly isSamePlace: boolean;
}

export function carryOn(
  { intent, isSamePlan, isSamePlace }: EarlierAttempt,
  { layout }: Pick<Found, 'layout'>,
): CarriedOn {
  const isDone = intent?.state === 'done';
  // Rows that were erased here stay erased, even if the plan has changed.
  const stillKnown = (rows: Keys = byName<never>()): Keys => {
    if (!isSamePlace || layout === undefined || intent?.layout === undefined) return byName();
    return isSamePlan ? rows : rowsByLayout(rows, intent.layout, layout);
  };
  const erased = isDone ? intent.keys : undefined;
  const gone = addKeys(stillKnown(intent?.gone), stillKnown(erased), layout);
  const detached = isDone ? keysOf(intent.detachedRows) : byName<never>();
  return {
    gone,
    goneElsewhere: (isSamePlan ? intent?.goneElsewhere : gone) ?? byName<never>(),
    detachedBefore: addKeys(intent?.detachedBefore ?? byName<never>(), detached),
    times: timesOf(intent),
    isErased: hasRows(gone),
  };
}

/** The times that attempts of the task have written, by which their rows are recognised. */
export function timesOf(intent: OpenedIntent | undefined): readonly string[] {
  if (intent === undefined) return [];
  const { state, layout = {}, times = [] } = intent;
  const own = state === 'done' ? Object.values(layout).flatMap(({ time }) => time ?? []) : [];
  return [...new Set([...times, ...own])];
}

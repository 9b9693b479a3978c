// When alarms are sent, and in which order.
import { ALARM_KINDS, type AlarmKind } from './alarm.ts';
import { TOLD_AGAIN_MS } from './deadline-alarms.ts';

/** No retry is put off for longer; a later one means that the clock was set back. */
const LONGEST_WAIT = 7_200_000;

export function isDeliveryDue(nextDelivery: number, now: number): boolean {
  return nextDelivery <= now || nextDelivery > now + LONGEST_WAIT;
}

/** What was sent since is not sent again yet, however much it has grown. */
export function sentLately(now: number): { readonly from: number; readonly until: number } {
  return { from: now - TOLD_AGAIN_MS, until: now };
}

/** Erasing that stands still comes first, then limits that were reached, then deadlines. */
const SEVERITY: Readonly<Record<AlarmKind, number>> = {
  worker_failing: 0,
  row_refused: 0,
  unreadable: 0,
  target_refused: 1,
  target_down: 1,
  daily_starts: 2,
  daily_rows: 2,
  not_found: 3,
  statutory_deadline: 4,
  expected_deadline: 5,
  erase_again_deadline: 5,
};

/** The most severe first. */
export const KINDS_BY_SEVERITY: readonly AlarmKind[] = [...ALARM_KINDS].sort(
  (a, b) => SEVERITY[a] - SEVERITY[b],
);

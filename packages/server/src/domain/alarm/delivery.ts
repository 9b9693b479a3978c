// When alarms are sent, and which go together.
import type { Alarm } from './alarm.ts';

/** No retry is put off for longer; a later one means that the clock was set back. */
const LONGEST_WAIT = 7_200_000;
/** No subject has more stages. */
export const MOST_TOGETHER = 4;

export function isDeliveryDue(nextDelivery: number, now: number): boolean {
  return nextDelivery <= now || nextDelivery > now + LONGEST_WAIT;
}

/** Of these, in order, those that go into the next message. */
export function raisedTogether(alarms: readonly Alarm[]): Alarm[] {
  const [first] = alarms;
  return alarms.filter(
    ({ kind, subject, raisedTime }) =>
      kind === first?.kind && subject === first.subject && raisedTime === first.raisedTime,
  );
}

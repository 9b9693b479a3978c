// Decides when alarms are sent.
import { TOLD_AGAIN_MS } from './deadline-alarms.ts';

/** No retry is delayed for longer: a later time means that the clock was set back. */
const LONGEST_WAIT = 7_200_000;

export function isDeliveryDue(nextDelivery: number, now: number): boolean {
  return nextDelivery <= now || nextDelivery > now + LONGEST_WAIT;
}

/** Alarms sent within this time are not sent again yet, even if their count has grown. */
export function sentLately(now: number): { readonly from: number; readonly until: number } {
  return { from: now - TOLD_AGAIN_MS, until: now };
}

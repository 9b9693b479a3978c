// Decides when alarms are sent.
import { LATEST_RETRY_MS } from '../webhook-retry.ts';
import { TOLD_AGAIN_MS } from './deadline-alarms.ts';

export function isDeliveryDue(nextDelivery: number, now: number): boolean {
  return nextDelivery <= now || nextDelivery > now + LATEST_RETRY_MS;
}

/** Alarms sent within this time are not sent again yet, even if their count has grown. */
export function sentLately(now: number): { readonly from: number; readonly until: number } {
  return { from: now - TOLD_AGAIN_MS, until: now };
}

// Decides when alarms are sent.
import { TOLD_AGAIN_MS } from './deadline-alarms.ts';

/** Alarms sent within this time are not sent again yet, even if their count has grown. */
export function sentLately(now: number): { readonly from: number; readonly until: number } {
  return { from: now - TOLD_AGAIN_MS, until: now };
}

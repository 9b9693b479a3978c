// The event webhook as operators see it: how far it is, what failed last, and sending again.
import type { EventProgress } from '../domain/audit/event-ports.ts';
import type { Store } from '../domain/store/store.ts';
import { type Actor, NotPossible } from '../domain/task/operator-ports.ts';
import { InvalidInput } from './failures.ts';
import { isoTime } from './iso-time.ts';

/** `isSet`: events.webhook is among the settings. */
export async function eventsStatus({ events }: Pick<Store, 'events'>, isSet: boolean) {
  return statusShape(await events.progress(), isSet);
}

function statusShape(progress: EventProgress | undefined, isSet: boolean) {
  const { sentNo = 0, newestNo = 0, failures = 0, failure = null } = progress ?? {};
  return {
    is_set: isSet,
    sent_audit_no: sentNo,
    newest_audit_no: newestNo,
    sent_time: isoTime(progress?.sentTime ?? null),
    failures,
    failure,
    failed_time: isoTime(progress?.failedTime ?? null),
    next_time: failures === 0 ? null : isoTime(progress?.nextTime ?? null),
  };
}

export type EventsStatus = ReturnType<typeof statusShape>;

/** A row of the audit log, or a time. */
export type SendFrom = { readonly auditNo: number } | { readonly time: number };

export async function sendEventsFrom(
  store: Pick<Store, 'events' | 'auditHeads'>,
  from: SendFrom,
  isSet: boolean,
  by: Actor,
): Promise<EventsStatus> {
  if (!isSet)
    throw new NotPossible('events.webhook is not set: give it in the settings and reload them');
  const first = 'auditNo' in from ? from.auditNo : await firstRowSince(store, from.time);
  const cutUntil = (await store.auditHeads.cut())?.lastAuditNo ?? 0;
  const [newest] = await store.auditHeads.rowsAfter(first - 1, 1);
  if (newest === undefined)
    throw new InvalidInput('from', 'nothing is in the audit log from there on');
  await store.events.sendAfter(Math.max(first - 1, cutUntil), by);
  return eventsStatus(store, isSet);
}

/** Times of rows grow with their numbers, unless a clock was set back. */
async function firstRowSince(
  { auditHeads }: Pick<Store, 'auditHeads'>,
  time: number,
): Promise<number> {
  const isBefore = async (auditNo: number) => {
    const [row] = await auditHeads.rowsAfter(auditNo - 1, 1);
    return row !== undefined && row.time < time;
  };
  let [low, high] = [1, Number.MAX_SAFE_INTEGER];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    if (await isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

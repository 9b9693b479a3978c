// Posts events to the operator's own systems, in the order of the log, a small list at a time, each until it has
// arrived. Only the chore reads: nothing is added to what controllers wait for.
import type { EventStore, EventsMessage, LogEvent } from '../../domain/audit/event-ports.ts';
import type { AuditHeadStore } from '../../domain/audit/proof-ports.ts';
import type { Chore, DueChore } from '../../domain/chore.ts';
import type { Clock } from '../../domain/clock.ts';
import { TURN_MS, webhookRetryTime } from '../../domain/webhook-retry.ts';
import { eventOfRow, lostEvents } from './event-of-row.ts';

/** One call. A backlog of a million events is ten thousand calls. */
const MAX_EVENTS = 100;
const MAX_ROWS = 1000;
/** Messages in one run: then other chores come first. */
const MAX_AT_ONCE = 100;
/** With the waits in between, this many failures take more than an hour. */
const FAILURES_TO_TELL = 10;

export interface EventsParts {
  readonly store: EventStore;
  readonly log: Pick<AuditHeadStore, 'rowsAfter' | 'isAuthentic' | 'cut'>;
  readonly clock: Clock;
  readonly post: (
    id: string,
    message: EventsMessage,
  ) => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  readonly failed: (reason: string, failures: number) => void;
  /** Raises an alarm. */
  readonly tell: (about: string, message: string) => Promise<void>;
}

export function createEventsDue(store: Pick<EventStore, 'due'>): DueChore {
  return { name: 'sending events', isDue: store.due };
}

/** A slow receiver must not keep the worker from its batches. */
export function createEventsChore(
  parts: EventsParts,
): Chore & { readonly idle: () => Promise<void> } {
  const { store, log, clock, post, failed, tell } = parts;
  let underWay: Promise<void> | undefined;

  async function send(): Promise<void> {
    for (let messages = 0; messages < MAX_AT_ONCE; messages++) {
      const turn = await store.take(clock(), clock() + TURN_MS);
      if (turn === undefined) return;
      const { events, upTo } = await eventsAfter(turn.sentNo, turn.newestNo);
      if (!(await arrived(events))) return;
      await store.sent(turn.sentNo, upTo, events.length > 0, clock());
      if (upTo === turn.newestNo) return;
    }
  }

  /** Up to the newest row, or until there are enough events for a message. */
  async function eventsAfter(
    sentNo: number,
    newestNo: number,
  ): Promise<{ events: LogEvent[]; upTo: number }> {
    // The end of the log was cut off: what comes now is new.
    if (sentNo >= newestNo) return { events: [], upTo: newestNo };
    const cut = await log.cut();
    if (cut !== undefined && cut.lastAuditNo > sentNo) {
      const lost = lostEvents(sentNo, cut);
      await tell(lost.id, `events were never sent: ${lost.reason} before events.webhook took them`);
      return { events: [lost], upTo: cut.lastAuditNo };
    }
    const rows = await log.rowsAfter(sentNo, MAX_ROWS);
    // Rows that somebody else wrote are not events; the sealer reports them.
    const events = rows.filter(log.isAuthentic).flatMap((row) => eventOfRow(row) ?? []);
    const last = events[MAX_EVENTS - 1];
    if (last !== undefined) return { events: events.slice(0, MAX_EVENTS), upTo: last.audit_no };
    return { events, upTo: rows.at(-1)?.auditNo ?? newestNo };
  }

  async function arrived(events: readonly LogEvent[]): Promise<boolean> {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return true;
    const id = first === last ? first.id : `${first.id}_to_${last.id}`;
    const posted = await post(id, { type: 'events', timestamp: last.time, data: events });
    if (posted.ok) return true;
    const now = clock();
    const retryTime = (failures: number) => webhookRetryTime(now, failures);
    const failures = await store.failed(posted.reason, now, retryTime);
    failed(posted.reason, failures);
    if (failures >= FAILURES_TO_TELL) {
      const since = new Date(now).toISOString().slice(0, 10);
      await tell(
        `day ${since}`,
        `events have not arrived at events.webhook for over an hour: ${posted.reason}. They wait, and go on being sent; those whose rows of the audit log reach retention.records are lost. "unwrite events status" says how far they are`,
      );
    }
    return false;
  }

  return {
    ...createEventsDue(store),
    isDue: async (now) => underWay === undefined && store.due(now),
    async run() {
      underWay = send()
        // The store is closed when the worker ends: then the events are sent again later.
        .catch(() => undefined)
        .finally(() => {
          underWay = undefined;
        });
    },
    idle: async () => underWay,
  };
}

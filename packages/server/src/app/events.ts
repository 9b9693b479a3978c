// Builds the sending of events: the server's thread checks whether there are any, the worker's thread sends them.
import { postToWebhook, type Webhook } from '../alarms/webhook.ts';
import { createEventsChore, createEventsDue } from '../audit/events/events-chore.ts';
import type { Config } from '../config/config.ts';
import { anAlarm } from '../domain/alarm/alarm.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import type { DueStore, WorkStore } from '../domain/store/store.ts';
import { createTellAlarms } from './alarms.ts';

/** Plain data, because it is passed to a thread. Undefined: nothing is sent. */
export type EventSettings = Webhook | undefined;

export function eventSettings({
  eventsWebhook: url,
  eventsWebhookSecret: secret,
  webhooksAllowPrivate: allowPrivate,
}: Config): EventSettings {
  return url === undefined ? undefined : { url, secret, allowPrivate };
}

export function createEventDueChores(
  { events }: Pick<DueStore, 'events'>,
  webhook: EventSettings,
): DueChore[] {
  return webhook === undefined ? [] : [createEventsDue(events)];
}

export function createEventChores(
  { events, auditHeads, conditions }: Pick<WorkStore, 'events' | 'auditHeads' | 'conditions'>,
  webhook: EventSettings,
  clock: Clock,
  warn: (fields: object, message: string) => void,
): Chore[] {
  if (webhook === undefined) return [];
  const tell = createTellAlarms(warn);
  return [
    createEventsChore({
      store: events,
      log: auditHeads,
      clock,
      post: (id, message) =>
        postToWebhook(
          webhook,
          { id, contentType: 'application/json', body: JSON.stringify(message) },
          clock(),
        ),
      failed: (reason, failures) =>
        warn({ reason, failures }, 'events could not be sent to events.webhook; tried again'),
      tell: async (about, message) =>
        tell(await conditions.raise([anAlarm('events_unsent', about, message, clock())])),
    }),
  ];
}

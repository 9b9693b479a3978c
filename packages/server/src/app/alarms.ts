// Builds the alarms: the server's thread checks whether there is something to do, the worker's thread does it.
import { createDeliverChore, createDeliverDue } from '../alarms/deliver-chore.ts';
import { type AlarmReceivers, type SendAlarm, waysToSend } from '../alarms/send-alarm.ts';
import {
  createConditionsChore,
  createConditionsDue,
  createDeadlinesChore,
  createDeadlinesDue,
  type TellAlarms,
} from '../alarms/watch-chores.ts';
import type { Config } from '../config/config.ts';
import type { ConditionLimits, DeliveryStore } from '../domain/alarm/alarm-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import type { DueStore, WorkStore } from '../domain/store/store.ts';

/** Plain data, because it is passed to a thread. */
export interface AlarmSettings {
  readonly limits: ConditionLimits;
  readonly receivers: AlarmReceivers;
  /** Milliseconds between two checks of the conditions. */
  readonly conditionsMs: number;
}

export function alarmSettings(config: Config, conditionsMs: number): AlarmSettings {
  const { maxStartsPerDay, notFoundAlarm, alarmsDailySummary: summaryAt } = config;
  return {
    limits: { maxStartsPerDay, notFoundPercent: notFoundAlarm, summaryAt },
    receivers: alarmReceivers(config),
    conditionsMs,
  };
}

export function alarmReceivers({
  alarmsWebhook: url,
  alarmsWebhookSecret: secret,
  alarmsFormat: format,
  alarmsMailServer: server,
  alarmsMailFrom: from,
  alarmsMailTo: to,
  webhooksAllowPrivate: allowPrivate,
  operatorUrl: console,
}: Config): AlarmReceivers {
  return {
    webhook: url === undefined ? undefined : { url, secret, allowPrivate, format },
    mail:
      server === undefined || from === undefined || to === undefined
        ? undefined
        : { server, from, to },
    console,
  };
}

type Warn = (fields: object, message: string) => void;

export function createAlarmDueChores(
  store: DueStore,
  { limits, receivers, conditionsMs }: AlarmSettings,
): DueChore[] {
  return [
    createDeadlinesDue(store.watch),
    createConditionsDue(store.conditions, limits, conditionsMs),
    ...(receivers.webhook ? [createDeliverDue(store.delivery)] : []),
    ...(receivers.mail ? [createDeliverDue(store.mailing)] : []),
  ];
}

export function createAlarmChores(
  store: WorkStore,
  { limits, receivers, conditionsMs }: AlarmSettings,
  clock: Clock,
  warn: Warn,
): Chore[] {
  const tell = createTellAlarms(warn);
  const { webhook, mail } = waysToSend(receivers);
  const deliver = (to: string, delivery: DeliveryStore, send: SendAlarm | undefined) =>
    send === undefined
      ? []
      : [
          createDeliverChore({
            store: delivery,
            send,
            console: receivers.console,
            clock,
            failed: (reason, failures) =>
              warn({ reason, failures }, `an alarm could not be sent to ${to}; it will be retried`),
          }),
        ];
  return [
    createDeadlinesChore(store.watch, tell),
    createConditionsChore(store.conditions, limits, conditionsMs, tell),
    ...deliver('alarms.webhook', store.delivery, webhook),
    ...deliver('alarms.mail_to', store.mailing, mail),
  ];
}

/** Logs alarms with their messages. They contain no personal data: the subject names requests by number. */
export function createTellAlarms(warn: Warn): TellAlarms {
  return (raised) => {
    for (const alarm of raised) {
      const { kind, percent, subject, controllerId, target, deadline, count, message } = alarm;
      const fields = {
        alarm: kind,
        subject,
        ...(percent > 0 && { percent }),
        ...(count > 1 && { count }),
        ...(controllerId !== null && { controller: controllerId }),
        ...(target !== null && { target }),
        ...(deadline !== null && { deadline: new Date(deadline).toISOString() }),
      };
      warn(fields, message);
    }
  };
}

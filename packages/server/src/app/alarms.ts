// Builds the alarms: the server's thread checks whether there is something to do, the worker's thread does it.
import { createDeliverChore, createDeliverDue } from '../alarms/deliver-chore.ts';
import { type AlarmReceiver, sendAlarm } from '../alarms/send-alarm.ts';
import {
  createConditionsChore,
  createConditionsDue,
  createDeadlinesChore,
  createDeadlinesDue,
  type TellAlarms,
} from '../alarms/watch-chores.ts';
import type { Config } from '../config/config.ts';
import type { ConditionLimits } from '../domain/alarm/alarm-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import type { DueStore, WorkStore } from '../domain/store/store.ts';

/** Plain data, because it is passed to a thread. */
export interface AlarmSettings {
  readonly limits: ConditionLimits;
  /** Undefined: they are not sent. */
  readonly receiver: AlarmReceiver | undefined;
  /** Milliseconds between two checks of the conditions. */
  readonly conditionsMs: number;
}

export function alarmSettings(config: Config, conditionsMs: number): AlarmSettings {
  const { maxStartsPerDay, notFoundAlarm } = config;
  return {
    limits: { maxStartsPerDay: maxStartsPerDay, notFoundPercent: notFoundAlarm },
    receiver: alarmReceiver(config),
    conditionsMs,
  };
}

export function alarmReceiver({
  alarmsWebhook: url,
  alarmsWebhookSecret: secret,
  alarmsFormat: format,
  webhooksAllowPrivate: allowPrivate,
  operatorUrl: console,
}: Config): AlarmReceiver | undefined {
  return url === undefined
    ? undefined
    : { webhook: { url, secret, allowPrivate }, format, console };
}

type Warn = (fields: object, message: string) => void;

export function createAlarmDueChores(
  store: DueStore,
  { limits, receiver, conditionsMs }: AlarmSettings,
): DueChore[] {
  return [
    createDeadlinesDue(store.watch),
    createConditionsDue(store.conditions, limits, conditionsMs),
    ...(receiver ? [createDeliverDue(store.delivery)] : []),
  ];
}

export function createAlarmChores(
  store: WorkStore,
  { limits, receiver, conditionsMs }: AlarmSettings,
  clock: Clock,
  warn: Warn,
): Chore[] {
  const tell = createTellAlarms(warn);
  const chores = [
    createDeadlinesChore(store.watch, tell),
    createConditionsChore(store.conditions, limits, conditionsMs, tell),
  ];
  if (receiver === undefined) return chores;
  const deliver = createDeliverChore({
    store: store.delivery,
    send: (message) => sendAlarm(receiver, message, clock()),
    console: receiver.console,
    clock,
    failed: (reason, failures) =>
      warn(
        { reason, failures },
        'an alarm could not be delivered to alarms.webhook; it will be retried',
      ),
  });
  return [...chores, deliver];
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

// Builds what watches and tells: for the server's thread whether it is wanted, for the worker's the doing.
import type { DatabaseSync } from 'node:sqlite';
import { createDeliverChore, createDeliverDue } from './alarms/deliver-chore.ts';
import {
  createConditionsChore,
  createConditionsDue,
  createDeadlinesChore,
  createDeadlinesDue,
  type TellAlarms,
} from './alarms/watch-chores.ts';
import { postAlarm, type Webhook } from './alarms/webhook.ts';
import type { Config } from './config/config.ts';
import type { ConditionLimits } from './domain/alarm-ports.ts';
import type { Chore, DueChore } from './domain/chore.ts';
import { createConditionStore, prepareConditions } from './store/sqlite/alarm-conditions.ts';
import { createDeliveryStore, prepareHasToDeliver } from './store/sqlite/alarms.ts';
import { createWatchStore, prepareHasToLook } from './store/sqlite/watched-requests.ts';

/** Plain data: it is handed to a thread. */
export interface AlarmSettings {
  readonly limits: ConditionLimits;
  readonly webhook: Webhook | undefined;
}

export function alarmSettings(config: Config): AlarmSettings {
  const {
    maxStartsPerDay,
    notFoundAlarm,
    alarmsWebhook: url,
    alarmsWebhookSecret: secret,
  } = config;
  return {
    limits: { mostStartsADay: maxStartsPerDay, notFoundPercent: notFoundAlarm },
    webhook: url === undefined ? undefined : { url, secret },
  };
}

type Warn = (fields: object, message: string) => void;

export function createAlarmDueChores(
  reader: DatabaseSync,
  { limits, webhook }: AlarmSettings,
): DueChore[] {
  return [
    createDeadlinesDue({ hasToLook: prepareHasToLook(reader) }),
    createConditionsDue({ conditions: prepareConditions(reader) }, limits),
    ...(webhook ? [createDeliverDue({ hasToDeliver: prepareHasToDeliver(reader) })] : []),
  ];
}

export function createAlarmChores(
  database: DatabaseSync,
  { limits, webhook }: AlarmSettings,
  warn: Warn,
): Chore[] {
  const tell = createTellAlarms(warn);
  const chores = [
    createDeadlinesChore(createWatchStore(database), tell),
    createConditionsChore(createConditionStore(database), limits, tell),
  ];
  if (webhook === undefined) return chores;
  const deliver = createDeliverChore({
    store: createDeliveryStore(database),
    post: (message) => postAlarm(webhook, message, Date.now()),
    clock: Date.now,
    failed: (reason, failures) =>
      warn({ reason, failures }, 'an alarm could not be delivered to alarms.webhook; tried again'),
  });
  return [...chores, deliver];
}

/** In the log under their own words. Only ids: the subject names requests by number. */
export function createTellAlarms(warn: Warn): TellAlarms {
  return (raised) => {
    for (const { kind, percent, subject, controllerId, target, deadline, message } of raised) {
      const fields = {
        alarm: kind,
        subject,
        ...(percent > 0 && { percent }),
        ...(controllerId !== null && { controller: controllerId }),
        ...(target !== null && { target }),
        ...(deadline !== null && { deadline: new Date(deadline).toISOString() }),
      };
      warn(fields, message);
    }
  };
}

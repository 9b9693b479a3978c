// Alarms and events: where they are sent, and how they are written there.
import { address, oneOf, orOff } from './kinds.ts';
import { mailAddress, mailAddresses, mailServer } from './mail-kinds.ts';
import { setting } from './setting.ts';
import { allowPrivate, timeOfDay, webhookSecret } from './special-kinds.ts';

export const ALARM_FORMATS = ['json', 'slack', 'teams', 'text'] as const;

export const ALARM_SETTINGS = {
  alarmsWebhook: setting(
    'alarms.webhook',
    address,
    // Such addresses often have their secret in the path.
    'Address that alarms are posted to',
    'none: log and command line only',
    { secret: true },
  ),
  alarmsFormat: setting(
    'alarms.format',
    oneOf(...ALARM_FORMATS),
    'How alarms are posted to alarms.webhook: json, or as Slack, Microsoft Teams or a reader of plain text expects them',
    'json',
  ),
  alarmsWebhookSecret: setting(
    'alarms.webhook_secret',
    webhookSecret,
    'Secret that signs what is posted to alarms.webhook',
    'none: not signed',
    { secret: true },
  ),
  alarmsMailServer: setting(
    'alarms.mail_server',
    mailServer,
    'Mail server that alarms are sent through: smtps://user:password@mail.example.com, or smtp://…',
    'none',
    { secret: true },
  ),
  alarmsMailFrom: setting(
    'alarms.mail_from',
    mailAddress,
    'Sender of alarms sent by e-mail',
    'none',
  ),
  alarmsMailTo: setting(
    'alarms.mail_to',
    mailAddresses,
    'Addresses that alarms are sent to by e-mail, separated by commas',
    'none',
  ),
  alarmsDailySummary: setting(
    'alarms.daily_summary',
    orOff(timeOfDay),
    'Time of day (UTC) at which a summary is sent as an alarm, such as 08:00, or off',
    'off',
  ),
  eventsWebhook: setting(
    'events.webhook',
    address,
    'Address that events are posted to: a request was started, completed, held or cancelled',
    'none',
    { secret: true },
  ),
  eventsWebhookSecret: setting(
    'events.webhook_secret',
    webhookSecret,
    'Secret that signs what is posted to events.webhook',
    'none: not signed',
    { secret: true },
  ),
  webhooksAllowPrivate: setting(
    'webhooks.allow_private',
    allowPrivate,
    'Private addresses and plain http for alarms.webhook, events.webhook and audit.witness_webhook: true, or the addresses and networks that are allowed',
    'false',
  ),
  auditWitnessWebhook: setting(
    'audit.witness_webhook',
    address,
    'Address that new heads of the audit log are posted to',
    'none',
    { secret: true },
  ),
} as const;

interface MailSettings {
  readonly alarmsMailServer?: string;
  readonly alarmsMailFrom?: string;
  readonly alarmsMailTo?: readonly string[];
}

export function alarmProblems(given: MailSettings): string[] {
  const { alarmsMailServer: server, alarmsMailFrom: from, alarmsMailTo: to } = given;
  const count = [server, from, to].filter((one) => one !== undefined).length;
  if (count === 0 || count === 3) return [];
  return [
    'alarms.mail_server, alarms.mail_from and alarms.mail_to belong together: set all, or none',
  ];
}

// Alarms: where they are sent, and how they are written there.
import { address, oneOf } from './kinds.ts';
import { setting } from './setting.ts';
import { allowPrivate, webhookSecret } from './special-kinds.ts';

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
  webhooksAllowPrivate: setting(
    'webhooks.allow_private',
    allowPrivate,
    'Private addresses and plain http for alarms.webhook and audit.witness_webhook: true, or the addresses and networks that are allowed',
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

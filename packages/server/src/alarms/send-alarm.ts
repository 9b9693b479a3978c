// Sends a message about an alarm to where the operator wants it.
import { type AlarmMessage, testMessage } from './alarm-message.ts';
import { type Posted, postToWebhook, type Webhook } from './webhook.ts';
import { type AlarmFormat, writeAlarm } from './write-alarm.ts';

/** Plain data, because it is passed to a thread. */
export interface AlarmReceiver {
  readonly webhook: Webhook;
  readonly format: AlarmFormat;
  /** Address of the console, which messages link to. */
  readonly console: string;
}

export function sendAlarm(
  { webhook, format }: AlarmReceiver,
  message: AlarmMessage,
  now: number,
): Promise<Posted> {
  return postToWebhook(webhook, { id: idOf(message), ...writeAlarm(message, format) }, now);
}

export function sendTestAlarm(receiver: AlarmReceiver, now: number): Promise<Posted> {
  return sendAlarm(receiver, testMessage(now, receiver.console), now);
}

/** An alarm whose count has grown is another message. */
function idOf({ alarm, count, raised_time }: AlarmMessage): string {
  return alarm === 0 ? `alarm_test_${Date.parse(raised_time)}` : `alarm_${alarm}_${count}`;
}

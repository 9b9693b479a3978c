// Sends a message about an alarm to where the operator wants it.
import { type AlarmMessage, testMessage } from './alarm-message.ts';
import { type Mail, sendMail } from './mail.ts';
import { type Posted, postToWebhook, type Webhook } from './webhook.ts';
import { type AlarmFormat, alarmText, alarmTitle, writeAlarm } from './write-alarm.ts';

/** Plain data, because it is passed to a thread. */
export interface AlarmReceivers {
  readonly webhook: (Webhook & { readonly format: AlarmFormat }) | undefined;
  readonly mail: Mail | undefined;
  /** Address of the console, which messages link to. */
  readonly console: string;
}

export type SendAlarm = (message: AlarmMessage, now: number) => Promise<Posted>;

/** Each way has its own progress: one that is down does not keep the other from its messages. */
export interface WaysToSend {
  readonly webhook: SendAlarm | undefined;
  readonly mail: SendAlarm | undefined;
}

export function waysToSend({ webhook, mail }: AlarmReceivers): WaysToSend {
  return {
    webhook:
      webhook &&
      ((message, now) =>
        postToWebhook(webhook, { id: idOf(message), ...writeAlarm(message, webhook.format) }, now)),
    mail:
      mail &&
      ((message) =>
        sendMail(mail, {
          id: idOf(message),
          subject: alarmTitle(message),
          text: alarmText(message),
        })),
  };
}

/** Undefined if alarms are not sent anywhere. */
export function testOf(
  receivers: AlarmReceivers,
): ((now: number) => Promise<readonly Posted[]>) | undefined {
  const ways = Object.values(waysToSend(receivers)).filter((way) => way !== undefined);
  if (ways.length === 0) return undefined;
  return (now) => Promise.all(ways.map((send) => send(testMessage(now, receivers.console), now)));
}

/** An alarm whose count has grown is another message. */
function idOf({ alarm, count, raised_time }: AlarmMessage): string {
  return alarm === 0 ? `alarm_test_${Date.parse(raised_time)}` : `alarm_${alarm}_${count}`;
}

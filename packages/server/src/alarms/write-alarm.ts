// How an alarm is written where it is sent: as JSON for programs, or as the chat that reads it expects it.
import type { AlarmMessage } from './alarm-message.ts';

export type AlarmFormat = 'json' | 'slack' | 'teams' | 'text';

export interface WrittenAlarm {
  readonly contentType: string;
  readonly body: string;
}

export function writeAlarm(message: AlarmMessage, format: AlarmFormat): WrittenAlarm {
  switch (format) {
    case 'json':
      return json(message);
    case 'slack':
      return json({ text: slackText(message) });
    case 'teams':
      return json(teamsCard(message));
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: alarmText(message) };
  }
}

/** A line that says what it is about: "Unwrite: target down (crm)". */
export function alarmTitle({ kind, controller_id, target, percent }: AlarmMessage): string {
  const about = [target, controller_id, percent === null ? null : `${percent} %`];
  const named = about.filter((it) => it !== null).join(', ');
  return `Unwrite: ${kind.replaceAll('_', ' ')}${named === '' ? '' : ` (${named})`}`;
}

export function alarmText(message: AlarmMessage): string {
  return `${alarmTitle(message)}\n\n${message.message}\n\n${message.link}\n`;
}

const json = (value: unknown): WrittenAlarm => ({
  contentType: 'application/json',
  body: JSON.stringify(value),
});

function slackText(message: AlarmMessage): string {
  const title = `*${forSlack(alarmTitle(message))}*`;
  return `${title}\n${forSlack(message.message)}\n<${forSlack(message.link)}|Open in the console>`;
}

/** The three characters that have a meaning there: without this, a text could mention a whole channel. */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What the workflow "When a Teams webhook request is received" takes. */
function teamsCard(message: AlarmMessage) {
  const block = (text: string, look: object) => ({ type: 'TextBlock', text, wrap: true, ...look });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block(alarmTitle(message), { weight: 'Bolder', size: 'Medium' }),
            block(message.message, {}),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url: message.link }],
        },
      },
    ],
  };
}

// `unwrite events`: the webhook for the operator's own systems.
import { type Command, InvalidArgumentError } from 'commander';
import { type EventsStatus, eventsStatus, type SendFrom } from '../../operator/event-webhook.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printLines } from '../shared/output.ts';
import { readSince } from '../shared/read-time.ts';

interface SendOptions {
  readonly from: SendFrom;
  readonly json?: boolean;
}

export function addEventsCommands(program: Command): void {
  const events = program
    .command('events')
    .description('Events for your own systems: how far events.webhook is, and sending again');

  const status = events
    .command('status')
    .description('Show up to where events are sent, and the last failure');
  withJson(withSettings(status)).action(({ json }: { json?: boolean }) =>
    withInstallation(status, async ({ store }, { eventsWebhook }) => {
      print(await eventsStatus(store, eventsWebhook !== undefined), json);
    }),
  );

  const send = events
    .command('send')
    .description('Send all events from a time or a row of the audit log on, again if need be')
    .requiredOption('--from <place>', 'A day, a time, or the number of an audit row', readPlace);
  withActor(withJson(withSettings(send))).action(({ from, json }: SendOptions) =>
    withInstallation(send, async ({ store }, { eventsWebhook }) => {
      const { sendEventsFrom } = await import('../../operator/event-webhook.ts');
      const by = { actor: actorOf(send), now: store.clock() };
      print(await sendEventsFrom(store, from, eventsWebhook !== undefined, by), json);
    }),
  );
}

function readPlace(value: string): SendFrom {
  if (/^[1-9]\d{0,14}$/.test(value)) return { auditNo: Number(value) };
  if (/^\d+$/.test(value)) throw new InvalidArgumentError('Rows are numbered from 1.');
  return { time: readSince(value) };
}

function print(status: EventsStatus, json: boolean | undefined): void {
  if (json) {
    printJson(status);
    return;
  }
  const { sent_audit_no: sent, newest_audit_no: newest, failures } = status;
  printLines(wordsFor(status));
  printFields({
    'sent up to': `audit row ${sent} of ${newest}`,
    'last sent': status.sent_time,
    'last failure': status.failure,
    'failed at': status.failed_time,
    ...(failures > 0 && { 'next attempt': status.next_time }),
  });
}

function wordsFor({ is_set, failures, sent_audit_no, newest_audit_no }: EventsStatus): string {
  if (!is_set) return 'events.webhook is not set: no events are sent.';
  if (failures > 0) return `Events do not arrive: ${failures} failures in a row.`;
  return sent_audit_no === newest_audit_no ? 'All events are sent.' : 'Events are being sent.';
}

import { type Command, Option } from 'commander';
import { alarmReceivers } from '../../app/alarms.ts';
import { ALARM_KINDS, type Alarm, type AlarmKind } from '../../domain/alarm/alarm.ts';
import { alarmShape, deliveredTime } from '../../operator/alarm-shape.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { readLimit, settingsOf, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, time, warnIfLimited } from '../shared/output.ts';

interface ListOptions {
  readonly kind?: AlarmKind;
  readonly limit: number;
  readonly json?: boolean;
}

export function addAlarmsCommands(program: Command): void {
  const alarms = program
    .command('alarms')
    .description('Alarms: deadlines, daily limits, targets that are down');

  const list = alarms
    .command('list')
    .description('List alarms, newest first')
    .addOption(new Option('--kind <kind>', 'Only alarms of this kind').choices([...ALARM_KINDS]))
    .option('--limit <number>', 'Maximum number to list', readLimit, 100);
  withJson(withSettings(list)).action(({ kind, limit, json }: ListOptions) =>
    withInstallation(list, async ({ store }) => {
      const found = await store.alarms.alarms({ limit, ...(kind !== undefined && { kind }) });
      if (json) printJson(found.map(alarmShape));
      else if (found.length === 0) printLines('No alarm was raised.');
      else {
        printTable(
          ['raised', 'kind', 'percent', 'about', 'deadline', 'delivered', 'what'],
          found.map((it) => [
            time(it.raisedTime),
            it.kind,
            it.percent === 0 ? null : it.percent,
            aboutOf(it),
            time(it.deadline),
            deliveredTime(it),
            it.message,
          ]),
        );
        warnIfLimited(found.length, limit);
      }
    }),
  );

  const test = alarms
    .command('test')
    .description('Send a test alarm to alarms.webhook and alarms.mail_to, and print the answers');
  withJson(withSettings(test)).action(async ({ json }: { json?: boolean }) => {
    const { testOf } = await import('../../alarms/send-alarm.ts');
    const send = testOf(alarmReceivers(settingsOf(test).config));
    if (send === undefined) {
      throw new CommandFailure(
        'alarms are not sent anywhere; give UNWRITE_ALARMS_WEBHOOK, UNWRITE_ALARMS_WEBHOOK_FILE or "alarms: { webhook: … }" in the file, or alarms.mail_server, mail_from and mail_to',
      );
    }
    const posted = await send(Date.now());
    const failed = posted.flatMap((one) => (one.ok ? [] : [one.reason]));
    if (failed.length > 0) {
      throw new CommandFailure(
        `the test did not arrive: ${failed.join('; ')}; check the settings of alarms and what listens there`,
      );
    }
    const answers = posted.flatMap((one) => (one.ok ? [one.answer] : []));
    if (json) printJson({ delivered: true, answers });
    else printLines(...answers.map((answer) => `Delivered: ${answer}.`));
  });
}

function aboutOf({ controllerId, subjectRequestId, target }: Alarm): string {
  return [controllerId, subjectRequestId, target].filter((it) => it !== null).join(' ') || '-';
}

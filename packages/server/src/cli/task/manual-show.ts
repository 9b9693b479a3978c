// `unwrite manual show`: what a manual task is about. An identity is printed one at a time, for a reason.
import type { Command } from 'commander';
import type { Installation } from '../../app/installation.ts';
import type { Config } from '../../config/config.ts';
import type { TaskOptions } from '../../operator/task/find-task.ts';
import { revealForManualTask, showManualTask } from '../../operator/task/show-manual-task.ts';
import { usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, readLimit, withActor, withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printTable } from '../shared/output.ts';

interface ShowOptions extends TaskOptions {
  readonly identity?: number;
  readonly reason?: string;
  readonly json?: boolean;
}

export function addManualShow(manual: Command): void {
  const show = manual
    .command('show <task>')
    .description('Show what to do and whom it is about; takes its number, or the id of its request')
    .option('--identity <number>', 'Print this identity of the person in clear', readLimit)
    .option('--reason <text>', 'Why you need it: it is recorded in the audit log')
    .option('--controller <controller_id>', 'Needed if several controllers use the same request id')
    .option('--target <name>', 'Needed if the request has several such tasks');
  withActor(withJson(withSettings(show))).action((id: string, options: ShowOptions) =>
    withInstallation(show, async (installation, config) => {
      const { identity, reason } = options;
      if ((identity === undefined) !== (reason === undefined)) {
        throw usageFailure(
          '--identity and --reason go together: each identity is shown for a reason',
        );
      }
      if (identity === undefined || reason === undefined)
        await printTask(installation, config, id, options);
      else {
        const by = { actor: actorOf(show), now: installation.store.clock() };
        const asked = { number: identity, reason };
        const { identity: shown } = await revealForManualTask(installation, id, options, asked, by);
        const { type } = shown;
        if (options.json) printJson({ identity_type: type, identity_value: shown.reveal() });
        else printFields({ [type]: shown.reveal() });
      }
    }),
  );
}

async function printTask(
  installation: Installation,
  { targets }: Config,
  id: string,
  options: ShowOptions,
): Promise<void> {
  const task = await showManualTask({ ...installation, targets }, id, options);
  if (options.json) {
    printJson(task);
    return;
  }
  printFields({
    task: task.task,
    target: task.target,
    controller_id: task.controller_id,
    subject_request_id: task.subject_request_id,
    deadline: task.deadline,
    'what to do': task.instructions ?? task.detail,
  });
  if (task.identity_list.length === 0) return;
  process.stdout.write('\n');
  printTable(
    ['identity', 'type', 'masked', 'source'],
    task.identity_list.map((it) => [it.identity, it.identity_type, it.masked, it.source]),
  );
}

import type { Command } from 'commander';
import type { TaskSummary } from '../../domain/task/task.ts';
import { nearestDeadline } from '../../operator/request/list-attention.ts';
import { confirmTask } from '../../operator/task/end-task.ts';
import type { TaskOptions } from '../../operator/task/find-task.ts';
import { listManualTasks } from '../../operator/task/list-tasks.ts';
import { taskShape } from '../../operator/task/task-shape.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, readLimit, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, time, warnIfLimited } from '../shared/output.ts';
import { addManualShow } from './manual-show.ts';

interface ListOptions extends TaskOptions {
  readonly limit: number;
  readonly json?: boolean;
}

export function addManualCommands(program: Command): void {
  const manual = program
    .command('manual')
    .description('Tasks that a person does by hand: list, show and confirm them');

  const list = manual
    .command('list')
    .description('List tasks to do by hand, nearest deadline first')
    .option('--controller <controller_id>', 'Only those of this controller')
    .option('--target <name>', 'Only those of this target')
    .option('--limit <number>', 'Maximum number to list', readLimit, 50);
  withJson(withSettings(list)).action((options: ListOptions) =>
    withInstallation(list, async ({ store }, config) => {
      const tasks = await listManualTasks(store, config.targets, options);
      if (options.json) printJson(tasks.map(taskShape));
      else if (tasks.length === 0) printLines('There are no tasks to do by hand.');
      else {
        printManual(tasks);
        warnIfLimited(tasks.length, options.limit);
      }
    }),
  );

  addManualShow(manual);

  const confirm = manual
    .command('confirm <task>')
    .description('Confirm that a task was done by hand; takes its number, or the id of its request')
    .requiredOption('--note <text>', 'What was done; no personal data in it')
    .option('--controller <controller_id>', 'Needed if several controllers use the same request id')
    .option('--target <name>', 'Needed if the request has several such tasks');
  withActor(withJson(withSettings(confirm))).action(
    (id: string, options: TaskOptions & { note: string; json?: boolean }) =>
      withInstallation(confirm, async (installation) => {
        const { note } = options;
        const by = { actor: actorOf(confirm), now: installation.store.clock() };
        const { task: found, status } = await confirmTask(installation, id, options, note, by);
        if (options.json) printJson({ confirmed: found.taskNo, request_status: status });
        else
          printLines(
            `Confirmed task ${found.taskNo} (${found.target}). Request ${found.subjectRequestId} is ${status}.`,
          );
      }),
  );
}

function printManual(tasks: readonly TaskSummary[]): void {
  printTable(
    ['task', 'deadline', 'controller_id', 'subject_request_id', 'target', 'what to do'],
    tasks.map((it) => [
      it.taskNo,
      time(nearestDeadline(it)),
      it.controllerId,
      it.subjectRequestId,
      it.target,
      it.detail,
    ]),
  );
}

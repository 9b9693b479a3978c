import { type Command, Option } from 'commander';
import { TASK_STATES, type TaskState } from '../../domain/task/task.ts';
import type { TaskOptions } from '../../operator/task/find-task.ts';
import { listTasks } from '../../operator/task/list-tasks.ts';
import { taskShape } from '../../operator/task/task-shape.ts';
import { withInstallation } from '../shared/installation.ts';
import { readLimit, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, time, warnIfLimited } from '../shared/output.ts';
import { rowsOf, whatOf } from './print-tasks.ts';
import { addTaskRelease } from './release.ts';
import { addTaskRetain } from './retain.ts';

interface ListOptions extends TaskOptions {
  readonly state?: TaskState;
  readonly request?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const COLUMNS = [
  'task',
  'controller_id',
  'subject_request_id',
  'target',
  'state',
  'rows',
  'next try',
  'what',
];

export function addTaskCommands(program: Command): void {
  const task = program
    .command('task')
    .description('Tasks: a request at one target; release or retain those that are held');
  addList(task);
  addTaskRelease(task);
  addTaskRetain(task);
}

function addList(task: Command): void {
  const list = task
    .command('list')
    .description('List tasks, oldest request first')
    .option('--controller <controller_id>', 'Only those of this controller')
    .option('--request <subject_request_id>', 'Only those of this request')
    .option('--target <name>', 'Only those of this target')
    .addOption(new Option('--state <state>', 'Only those in this state').choices(TASK_STATES))
    .option('--limit <number>', 'Maximum number to list', readLimit, 50);
  withJson(withSettings(list)).action((options: ListOptions) =>
    withInstallation(list, async ({ store }, config) => {
      const { limit } = options;
      const tasks = await listTasks(store, config.targets, options);
      if (options.json) {
        printJson(tasks.map(taskShape));
        return;
      }
      if (tasks.length === 0) {
        printLines('There are no such tasks.');
        return;
      }
      printTable(
        COLUMNS,
        tasks.map((it) => [
          it.taskNo,
          it.controllerId,
          it.subjectRequestId,
          it.target,
          it.state,
          rowsOf(it),
          time(it.dueTime),
          whatOf(it),
        ]),
      );
      warnIfLimited(tasks.length, limit);
    }),
  );
}

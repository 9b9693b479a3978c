import { type Command, Option } from 'commander';
import { TASK_STATES, type TaskState } from '../domain/task.ts';
import { CommandFailure, EXIT_USAGE } from './failure.ts';
import { controllerOf } from './find-request.ts';
import { findTask, type TaskOptions } from './find-task.ts';
import { withInstallation } from './installation.ts';
import { refuseIdentitiesIn } from './no-identities.ts';
import { actorOf, readLimit, withActor, withJson, withSettings } from './options.ts';
import { printJson, printLines, printTable, time } from './output.ts';
import { rowsOf, taskShape, whatOf } from './task-shape.ts';

interface ListOptions extends TaskOptions {
  readonly state?: TaskState;
  readonly request?: string;
  readonly limit: number;
  readonly json?: boolean;
}

interface ActionOptions extends TaskOptions {
  readonly json?: boolean;
}

const MOST_RELEASED = 100_000;

export function addTaskCommands(program: Command): void {
  const task = program
    .command('task')
    .description('Tasks: a request at one target; release or retain those that are held');
  addList(task);
  addRelease(task);
  addRetain(task);
}

function addList(task: Command): void {
  const list = task
    .command('list')
    .description('List tasks, oldest request first')
    .option('--controller <controller_id>', 'Only those of this controller')
    .option('--request <subject_request_id>', 'Only those of this request')
    .option('--target <name>', 'Only those of this target')
    .addOption(new Option('--state <state>', 'Only those in this state').choices(TASK_STATES))
    .option('--limit <number>', 'At most so many', readLimit, 50);
  withJson(withSettings(list)).action((options: ListOptions) =>
    withInstallation(list, ({ store }) => {
      const controllerId = controllerOf(options.controller, store.tenants);
      const { request: subjectRequestId, target, state, limit } = options;
      const tasks = store.tasks.tasks({
        limit,
        ...(controllerId !== undefined && { controllerId }),
        ...(subjectRequestId !== undefined && { subjectRequestId }),
        ...(target !== undefined && { target }),
        ...(state !== undefined && { state }),
      });
      if (options.json) {
        printJson(tasks.map(taskShape));
        return;
      }
      printTable(
        [
          'task',
          'controller_id',
          'subject_request_id',
          'target',
          'state',
          'rows',
          'next try',
          'what',
        ],
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
      if (tasks.length === limit) {
        process.stderr.write(`There may be more; --limit shows more than ${limit}.\n`);
      }
    }),
  );
}

function addRelease(task: Command): void {
  const release = task
    .command('release [task]')
    .description(
      'Let a held task go on; it erases at most what was previewed. Named by its number or its request',
    )
    .option('--controller <controller_id>', 'Where several controllers use the same id')
    .option('--target <name>', 'Where the request has several held tasks; with --all, those of it')
    .option('--reason <reason>', 'With --all: only those held for this reason, such as over_cap')
    .option('--all', 'All held tasks of --target');
  withActor(withJson(withSettings(release))).action(
    (id: string | undefined, options: ActionOptions & { all?: boolean; reason?: string }) =>
      withInstallation(release, ({ store }) => {
        const by = { actor: actorOf(release), now: Date.now() };
        if (options.all !== true) {
          if (id === undefined)
            throw new CommandFailure('say which task, or --all with --target', EXIT_USAGE);
          const found = findTask(store, id, options, { states: ['held'] });
          store.operator.release(found.taskNo, by);
          if (options.json) printJson({ released: [found.taskNo] });
          else printLines(`Released task ${found.taskNo} (${found.target}).`);
          return;
        }
        if (options.target === undefined || id !== undefined) {
          throw new CommandFailure('--all takes --target and no task', EXIT_USAGE);
        }
        const { target, reason } = options;
        const held = store.tasks
          .tasks({
            target,
            state: 'held',
            limit: MOST_RELEASED,
            ...(reason !== undefined && { reason }),
          })
          .filter((it) => it.reason !== 'manual' && it.reason !== 'no_usable_identity');
        for (const { taskNo } of held) store.operator.release(taskNo, by);
        if (options.json) printJson({ released: held.map(({ taskNo }) => taskNo) });
        else printLines(`Released ${held.length} tasks of ${target}.`);
      }),
  );
}

function addRetain(task: Command): void {
  const retain = task
    .command('retain <task>')
    .description('End a task without erasing, for a legal reason; it stands first in the receipt')
    .requiredOption('--reason <text>', 'Why the data is kept; no personal data in it')
    .requiredOption('--legal-basis <text>', 'Such as "GDPR 17(3)(b)"')
    .option('--controller <controller_id>', 'Where several controllers use the same id')
    .option('--target <name>', 'Where the request has several tasks');
  withActor(withJson(withSettings(retain))).action(
    (id: string, options: ActionOptions & { reason: string; legalBasis: string }) =>
      withInstallation(retain, (installation) => {
        const { store } = installation;
        const states: TaskState[] = ['held', 'failed', 'waiting'];
        const found = findTask(store, id, options, { states });
        const { reason, legalBasis } = options;
        refuseIdentitiesIn([reason, legalBasis], installation, found);
        store.operator.retain(
          found.taskNo,
          { reason, legalBasis },
          { actor: actorOf(retain), now: Date.now() },
        );
        if (options.json) printJson({ retained: found.taskNo });
        else printLines(`Retained: task ${found.taskNo} (${found.target}), ${legalBasis}.`);
      }),
  );
}

import type { Command } from 'commander';
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { controllerOf } from '../request/find-request.ts';
import { refuseIdentitiesIn } from '../request/no-identities.ts';
import { requestStatusOf } from '../request/request-status.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, readLimit, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, sayIfThereMayBeMore, time } from '../shared/output.ts';
import { requireTarget } from '../target/existing-target.ts';
import { findTask, type TaskOptions } from './find-task.ts';
import { taskShape } from './task-shape.ts';

interface ListOptions extends TaskOptions {
  readonly limit: number;
  readonly json?: boolean;
}

export function addManualCommands(program: Command): void {
  const manual = program
    .command('manual')
    .description('Tasks that a person has to do, and their confirmation');

  const list = manual
    .command('list')
    .description('List what people have to do, nearest deadline first')
    .option('--controller <controller_id>', 'Only those of this controller')
    .option('--target <name>', 'Only those of this target')
    .option('--limit <number>', 'At most so many', readLimit, 50);
  withJson(withSettings(list)).action((options: ListOptions) =>
    withInstallation(list, async ({ store }, config) => {
      await requireTarget(options.target, config, store);
      const controllerId = await controllerOf(options.controller, store.tenants);
      const tasks = await store.tasks.tasks({
        state: 'held',
        reason: 'manual',
        limit: options.limit,
        ...(controllerId !== undefined && { controllerId }),
        ...(options.target !== undefined && { target: options.target }),
      });
      if (options.json) printJson(tasks.map(taskShape));
      else if (tasks.length === 0) printLines('There is nothing for a person to do.');
      else {
        printManual(tasks);
        sayIfThereMayBeMore(tasks.length, options.limit);
      }
    }),
  );

  const confirm = manual
    .command('confirm <task>')
    .description('Confirm that a person has erased; named by its number or its request')
    .requiredOption('--note <text>', 'What was done; no personal data in it')
    .option('--controller <controller_id>', 'Where several controllers use the same id')
    .option('--target <name>', 'Where the request has several such tasks');
  withActor(withJson(withSettings(confirm))).action(
    (id: string, options: TaskOptions & { note: string; json?: boolean }) =>
      withInstallation(confirm, async (installation) => {
        const { store } = installation;
        const found = await findTask(store, id, options, {
          done: 'confirmed',
          fits: ({ state, reason }) => state === 'held' && reason === 'manual',
        });
        const { note } = options;
        const actor = actorOf(confirm);
        await refuseIdentitiesIn({ '--note': note, '--as': actor }, installation, found);
        await store.operator.confirm(found.taskNo, note, { actor, now: store.clock() });
        const status = await requestStatusOf(store, found);
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
      time(expectedCompletion(it.receivedTime)),
      it.controllerId,
      it.subjectRequestId,
      it.target,
      it.detail,
    ]),
  );
}

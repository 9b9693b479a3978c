// `unwrite task release`: one held task by name, or all of a target.
import { type Command, Option } from 'commander';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import type { TaskOptions } from '../../operator/task/find-task.ts';
import {
  RELEASABLE_REASONS,
  releaseAllTasks,
  releaseTask,
} from '../../operator/task/release-tasks.ts';
import { usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';

interface ReleaseOptions extends TaskOptions {
  readonly all?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

export function addTaskRelease(task: Command): void {
  const release = task
    .command('release [task]')
    .description(
      'Release a held task, by its number or its request; it erases at most what was previewed',
    )
    .option(
      '--controller <controller_id>',
      'Needed if several controllers use the same request id; with --all, only tasks of this controller',
    )
    .option(
      '--target <name>',
      'Needed if the request has several held tasks; with --all, the target',
    )
    .addOption(
      new Option('--reason <reason>', 'With --all: only those held for this reason').choices(
        RELEASABLE_REASONS,
      ),
    )
    .option('--all', 'All held tasks of --target');
  withActor(withJson(withSettings(release))).action(
    (id: string | undefined, options: ReleaseOptions) =>
      withInstallation(release, async ({ store }, config) => {
        const by = { actor: actorOf(release), now: store.clock() };
        if (options.all) await releaseAll(id, options, store, config, by);
        else await releaseOne(id, options, store, by);
      }),
  );
}

async function releaseOne(
  id: string | undefined,
  options: ReleaseOptions,
  store: Store,
  by: Actor,
): Promise<void> {
  if (id === undefined) throw usageFailure('name a task, or give --all with --target');
  if (options.reason !== undefined) throw usageFailure('--reason goes with --all');
  const { task, maxRows } = await releaseTask(store, id, options, by);
  const { taskNo, target } = task;
  if (options.json) printJson({ released: [taskNo] });
  else {
    const limit = maxRows === null ? '' : ` It erases at most ${counted(maxRows, 'row')}.`;
    printLines(`Released task ${taskNo} (${target}).${limit}`);
  }
}

async function releaseAll(
  id: string | undefined,
  { controller, target, reason, json }: ReleaseOptions,
  store: Store,
  { targets }: Config,
  by: Actor,
): Promise<void> {
  if (target === undefined || id !== undefined)
    throw usageFailure('--all needs --target, and no task');
  const query = { target, controller, reason };
  const { released, left } = await releaseAllTasks(store, targets, query, by);
  if (json) printJson({ released, left });
  else {
    printLines(`Released ${counted(released.length, 'task')} of ${target}.`);
    if (left.length > 0) {
      printLines(
        `${counted(left.length, 'held task')} cannot be released; "unwrite task list --target ${target} --state held" says why.`,
      );
    }
  }
}

// `unwrite task release`: one held task by name, or all of a target.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import type { TaskOptions } from '../../operator/task/find-task.ts';
import type { ReleaseSize, Size } from '../../operator/task/release-size.ts';
import {
  RELEASABLE_REASONS,
  releaseAllTasks,
  releaseTask,
  sizeOfReleaseAll,
} from '../../operator/task/release-tasks.ts';
import { usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';

interface ReleaseOptions extends TaskOptions {
  readonly all?: boolean;
  readonly reason?: string;
  readonly dryRun?: boolean;
  readonly expectRows?: number;
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
    .option('--all', 'All held tasks of --target')
    .option('--dry-run', 'With --all: only say how many tasks, people and rows it would be')
    .option(
      '--expect-rows <number>',
      'With --all: release nothing unless it is that many rows',
      readRows,
    );
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
  for (const name of ['reason', 'dryRun', 'expectRows'] as const) {
    const flag = { reason: '--reason', dryRun: '--dry-run', expectRows: '--expect-rows' }[name];
    if (options[name] !== undefined) throw usageFailure(`${flag} goes with --all`);
  }
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
  { controller, target, reason, dryRun, expectRows, json }: ReleaseOptions,
  store: Store,
  { targets }: Config,
  by: Actor,
): Promise<void> {
  if (target === undefined || id !== undefined)
    throw usageFailure('--all needs --target, and no task');
  const query = { target, controller, reason };
  const size = await sizeOfReleaseAll(store, targets, query);
  if (dryRun) {
    if (json) printJson(size);
    else printLines(...sizeWords(size, target));
    return;
  }
  const expected = expectRows === undefined ? undefined : { tasks: size.tasks, rows: expectRows };
  const { released, left } = await releaseAllTasks(store, targets, { ...query, expected }, by);
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

function sizeWords({ groups, ...all }: ReleaseSize, target: string): string[] {
  if (all.tasks === 0) return [`Nothing would be released at ${target}.`];
  return [
    `It would release ${sizeOf(all)} at ${target}:`,
    ...groups.map(
      ({ controller_id, reason, ...size }) => `  ${controller_id}, ${reason}: ${sizeOf(size)}`,
    ),
  ];
}

function sizeOf({ tasks, people, rows, uncounted }: Size): string {
  const more = uncounted === 0 ? '' : `, and ${counted(uncounted, 'task')} with rows not counted`;
  const persons = people === 1 ? '1 person' : `${people} people`;
  return `${counted(tasks, 'task')} of ${persons}, at most ${counted(rows, 'row')}${more}`;
}

function readRows(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a number of rows.');
  return Number(value);
}

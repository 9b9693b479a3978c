// `unwrite task release`: one held task by name, or all of a target.
import { type Command, Option } from 'commander';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../domain/store/store.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { releasedRows } from '../../domain/task/released-rows.ts';
import type { TaskHoldReason, TaskSummary } from '../../domain/task/task.ts';
import { controllerOf } from '../request/find-request.ts';
import { usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';
import { requireTarget } from '../target/existing-target.ts';
import { findTask, type TaskOptions } from './find-task.ts';

interface ReleaseOptions extends TaskOptions {
  readonly all?: boolean;
  readonly reason?: string;
  readonly json?: boolean;
}

type ReleasableReason = Exclude<TaskHoldReason, 'manual'>;

/** A record, so that a new reason is not forgotten here. */
const RELEASABLE: Readonly<Record<ReleasableReason, true>> = {
  over_cap: true,
  more_than_previewed: true,
  unplanned_change: true,
  statements_disagree: true,
  ambiguous_reference: true,
  tenant_mismatch: true,
  shared: true,
  orphaned: true,
  unsettled: true,
  not_overwritten: true,
  too_many_resolved: true,
  no_usable_identity: true,
  preview_mode: true,
  target_removed: true,
  retained_before: true,
};
const MOST_RELEASED = 100_000;

export function addTaskRelease(task: Command): void {
  const release = task
    .command('release [task]')
    .description(
      'Let a held task go on; it erases at most what was previewed. Named by its number or its request',
    )
    .option(
      '--controller <controller_id>',
      'Where several controllers use the same id; with --all, only those of this controller',
    )
    .option('--target <name>', 'Where the request has several held tasks; with --all, those of it')
    .addOption(
      new Option('--reason <reason>', 'With --all: only those held for this reason').choices(
        Object.keys(RELEASABLE),
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
  if (id === undefined) throw usageFailure('say which task, or --all with --target');
  if (options.reason !== undefined) throw usageFailure('--reason goes with --all');
  const wanted = { done: 'released', fits: isReleasable };
  const task = await findTask(store, id, options, wanted);
  const { taskNo, target } = task;
  await store.operator.release(taskNo, by);
  if (options.json) printJson({ released: [taskNo] });
  else {
    const rows = releasedRows(task);
    const most = rows === null ? '' : ` It erases at most ${counted(rows, 'row')}.`;
    printLines(`Released task ${taskNo} (${target}).${most}`);
  }
}

async function releaseAll(
  id: string | undefined,
  { controller, target, reason, json }: ReleaseOptions,
  store: Store,
  config: Config,
  by: Actor,
): Promise<void> {
  if (target === undefined || id !== undefined)
    throw usageFailure('--all takes --target and no task');
  await requireTarget(target, config, store);
  const controllerId = await controllerOf(controller, store.tenants);
  const held = await store.tasks.tasks({
    target,
    state: 'held',
    limit: MOST_RELEASED,
    ...(controllerId !== undefined && { controllerId }),
    ...(reason !== undefined && { reason }),
  });
  const released: number[] = [];
  for (const it of held) {
    if (isReleasable(it) && (await couldRelease(store, it, by))) released.push(it.taskNo);
  }
  const left = held.filter((it) => !isReleasable(it)).map(({ taskNo }) => taskNo);
  if (json) printJson({ released, left });
  else {
    printLines(`Released ${counted(released.length, 'task')} of ${target}.`);
    if (left.length > 0) {
      printLines(
        `${counted(left.length, 'held task')} cannot be released: "unwrite task list --target ${target} --state held" says why.`,
      );
    }
  }
}

function isReleasable({ state, reason }: TaskSummary): boolean {
  return state === 'held' && reason !== 'manual';
}

/** Another operator may be at the same list: what they took is theirs, and the rest goes on. */
async function couldRelease(store: Store, { taskNo }: TaskSummary, by: Actor): Promise<boolean> {
  try {
    await store.operator.release(taskNo, by);
    return true;
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    return false;
  }
}

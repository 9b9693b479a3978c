// A manual task for the person who does it: what to do, and whom it is about, masked or one identity in clear.
import type { Identity } from '../../domain/request/identity.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { maskedIdentities } from '../request/request-page.ts';
import {
  AT_THE_MACHINE,
  isManual,
  type RevealParts,
  revealIdentity,
} from '../request/reveal-identity.ts';
import { findTask, type TaskOptions, type TaskStores } from './find-task.ts';
import { taskCard } from './task-card.ts';

export async function showManualTask(
  parts: RevealParts & { readonly targets: readonly TargetConfig[] },
  id: string,
  options: TaskOptions,
) {
  const task = await findManualTask(parts.store, id, options);
  return {
    ...taskCard(task, parts.targets),
    identity_list: await maskedIdentities(parts, task, AT_THE_MACHINE),
  };
}

export async function revealForManualTask(
  parts: RevealParts,
  id: string,
  options: TaskOptions,
  asked: { readonly number: number; readonly reason: string },
  by: Actor,
): Promise<{ readonly task: TaskSummary; readonly identity: Identity }> {
  const task = await findManualTask(parts.store, id, options);
  const named = { id: task.subjectRequestId, controller: task.controllerId };
  const reveal = { ...asked, reader: AT_THE_MACHINE };
  return { task, identity: await revealIdentity(parts, named, reveal, by) };
}

async function findManualTask(
  store: TaskStores,
  id: string,
  options: TaskOptions,
): Promise<TaskSummary> {
  const task = await findTask(store, id, options, { done: 'done by hand', fits: isManual });
  if (isManual(task)) return task;
  throw new NotPossible(`task ${task.taskNo} is no manual task that is open: it is ${task.state}`);
}

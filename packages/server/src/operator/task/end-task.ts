// An operator ends a task: retained for a legal reason, or confirmed as erased by hand.
import type { RequestStatus } from '@unwrite/protocol';
import type { Store } from '../../domain/store/store.ts';
import type { Actor } from '../../domain/task/operator-ports.ts';
import type { TaskSummary } from '../../domain/task/task.ts';
import { RETAINABLE } from '../../domain/task/task-rules.ts';
import { statusOf } from '../request/find-request.ts';
import { refuseIdentitiesIn } from '../request/refuse-identities.ts';
import type { IdentityAccess } from '../request/request-identities.ts';
import { isManual } from '../request/reveal-identity.ts';
import { findTask, type TaskOptions, type TaskStores } from './find-task.ts';

export interface EndTaskParts {
  readonly store: TaskStores & Pick<Store, 'operator'>;
  readonly identities: IdentityAccess;
}

export interface EndedTask {
  readonly task: TaskSummary;
  /** Status of the request, which is completed if this was its last task. */
  readonly status: RequestStatus;
}

export async function retainTask(
  parts: EndTaskParts,
  id: string,
  options: TaskOptions,
  why: { readonly reason: string; readonly legalBasis: string },
  by: Actor,
): Promise<EndedTask> {
  const { store } = parts;
  const task = await findTask(store, id, options, {
    done: 'retained',
    fits: ({ state }) => RETAINABLE.includes(state),
  });
  const { reason, legalBasis } = why;
  await refuseIdentitiesIn({ reason, legal_basis: legalBasis, actor: by.actor }, parts, task);
  await store.operator.retain(task.taskNo, { reason, legalBasis }, by);
  return { task, status: await statusOf(store, task) };
}

export async function confirmTask(
  parts: EndTaskParts,
  id: string,
  options: TaskOptions,
  note: string,
  by: Actor,
): Promise<EndedTask> {
  const { store } = parts;
  const task = await findTask(store, id, options, {
    done: 'confirmed',
    fits: isManual,
  });
  await refuseIdentitiesIn({ note, actor: by.actor }, parts, task);
  await store.operator.confirm(task.taskNo, note, by);
  return { task, status: await statusOf(store, task) };
}

// Everything that the console shows about one request: deadlines, timeline, tasks, and what can be done.
import { latestExtension } from '../../domain/deadline/statutory-deadline.ts';
import { includesRole } from '../../domain/operator/role.ts';
import type { RequestTimes } from '../../domain/operator/view-ports.ts';
import type { RequestKey, RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { TaskState, TaskSummary } from '../../domain/task/task.ts';
import { etagOf, taskEtag } from '../etag.ts';
import { isoTime } from '../iso-time.ts';
import { holdsOn } from '../legal-hold/legal-holds.ts';
import { taskCard } from '../task/task-card.ts';
import { findRequest } from './find-request.ts';
import { HIDDEN, maskIdentity } from './mask-identity.ts';
import type { NamedRequest } from './operate-request.ts';
import {
  type IdentityAccess,
  type IdentityParts,
  identitiesWithSource,
} from './request-identities.ts';
import { requestLine } from './request-line.ts';
import { timelineOf } from './request-timeline.ts';
import { mayReveal, type Reader } from './reveal-identity.ts';

const MAX_TASKS = 1000;

export interface RequestPageParts {
  readonly store: Pick<Store, 'tenants' | 'catalogue' | 'tasks' | 'views' | 'legalHolds'>;
  readonly identities: IdentityAccess;
  readonly targets: readonly TargetConfig[];
  /** In seconds. */
  readonly cancellationWindow: number;
}

export type RequestAction =
  | 'start'
  | 'cancel'
  | 'hold'
  | 'extend'
  | 'retry'
  | 'identities'
  | 'preview'
  | 'receipt'
  | 'reveal';

export async function requestPage(
  parts: RequestPageParts,
  { id, controller }: NamedRequest,
  reader: Reader,
) {
  const { store, targets, cancellationWindow } = parts;
  const request = await findRequest(store, id, controller);
  const { controllerId, subjectRequestId } = request;
  const tasks = await store.tasks.tasks({ controllerId, subjectRequestId, limit: MAX_TASKS });
  const moments = await store.views.timesOf(request);
  const masked = await maskedIdentities(parts, request, reader);
  const outcomes = await store.tasks.outcomes([request]);
  return {
    ...requestLine(request, openOf(tasks), outcomes.get(request.requestNo)),
    etag: requestEtag(request, tasks, moments),
    created_by: request.createdBy,
    latest_extension: isoTime(latestExtension(request)),
    plan: (await store.tasks.planOf(request)) ?? null,
    legal_holds: await holdsOn(store, request),
    identity_list: masked,
    timeline: timelineOf(request, tasks, moments, cancellationWindow * 1000),
    tasks: tasks.map((task) => taskCard(task, targets)),
    receipts: moments.receipts.map(({ receiptNo, createdTime }) => ({
      number: receiptNo,
      created_time: isoTime(createdTime),
    })),
    receipt_refused: moments.refused,
    actions: actionsOn(request, tasks, masked.length > 0, reader),
  };
}

export async function readRequestEtag(
  store: RequestPageParts['store'],
  request: RequestSummary,
): Promise<string> {
  const { controllerId, subjectRequestId } = request;
  const tasks = await store.tasks.tasks({ controllerId, subjectRequestId, limit: MAX_TASKS });
  return requestEtag(request, tasks, await store.views.timesOf(request));
}

function requestEtag(
  request: RequestSummary,
  tasks: readonly TaskSummary[],
  { receipts, refused, shreddedTime }: RequestTimes,
): string {
  const { controllerId, subjectRequestId, status, identityCount, extendedUntil } = request;
  return etagOf(
    controllerId,
    subjectRequestId,
    status,
    identityCount,
    extendedUntil,
    tasks.map(taskEtag),
    receipts.length,
    refused,
    shreddedTime,
  );
}

function openOf(tasks: readonly TaskSummary[]): Map<TaskState, number> | undefined {
  const open = tasks.filter(({ state }) => state !== 'erased');
  if (open.length === 0) return undefined;
  const counts = new Map<TaskState, number>();
  for (const { state } of open) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

/** A viewer sees how many identities there are, but no part of one. */
export async function maskedIdentities(
  parts: IdentityParts,
  request: RequestKey,
  { role }: Pick<Reader, 'role'>,
) {
  const found = await identitiesWithSource(parts, request);
  const mayMask = includesRole(role, 'operator');
  return found.map(({ identity, source }, at) => ({
    identity: at + 1,
    identity_type: identity.type,
    masked: mayMask ? maskIdentity(identity) : HIDDEN,
    source,
  }));
}

function actionsOn(
  { status }: RequestSummary,
  tasks: readonly TaskSummary[],
  hasIdentities: boolean,
  reader: Reader,
): RequestAction[] {
  const isOpen = status === 'pending' || status === 'in_progress';
  const hasOpenTask = tasks.some(({ state }) => state !== 'erased');
  return [
    ...(status === 'pending' ? (['start', 'cancel'] as const) : []),
    ...(isOpen ? (['extend', 'hold'] as const) : []),
    ...(status === 'in_progress' || (status === 'completed' && hasOpenTask)
      ? (['retry'] as const)
      : []),
    ...(isOpen ? (['identities'] as const) : []),
    ...(hasIdentities ? (['preview'] as const) : []),
    ...(hasIdentities && mayReveal(reader, tasks) ? (['reveal'] as const) : []),
    ...(status === 'completed' ? (['receipt'] as const) : []),
  ];
}

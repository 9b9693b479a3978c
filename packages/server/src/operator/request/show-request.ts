// Everything about one request, except the person's identities.

import type { AuditRow } from '../../domain/audit/audit-row.ts';
import type { Outcome } from '../../domain/request/outcome.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import { shownJson } from '../../domain/stored-json.ts';
import type { Plan, TaskSummary } from '../../domain/task/task.ts';
import { creationRow } from '../audit/creation-row.ts';
import { isoTime } from '../iso-time.ts';
import { holdsOn } from '../legal-hold/legal-holds.ts';
import { taskShape } from '../task/task-shape.ts';
import { findRequest } from './find-request.ts';
import { requestShape } from './request-shape.ts';

const MAX_TASKS = 1000;

export interface HistoryRow {
  readonly time: string | null;
  readonly action: string;
  readonly actor: string;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export interface ShownRequest {
  readonly request: RequestSummary;
  readonly outcome: Outcome;
  /** Null before it was planned. */
  readonly plan: Plan['targets'] | null;
  readonly tasks: readonly TaskSummary[];
  readonly holds: Awaited<ReturnType<typeof holdsOn>>;
  readonly history: readonly HistoryRow[];
}

export async function showRequest(
  store: Pick<Store, 'tenants' | 'catalogue' | 'tasks' | 'legalHolds'>,
  id: string,
  controller: string | undefined,
): Promise<ShownRequest> {
  const request = await findRequest(store, id, controller);
  const { controllerId, subjectRequestId } = request;
  const later = await store.catalogue.auditOf(controllerId, subjectRequestId);
  const filter = { controllerId, subjectRequestId, limit: MAX_TASKS };
  return {
    request,
    outcome: (await store.tasks.outcomes([request])).get(request.requestNo) ?? 'still open',
    plan: (await store.tasks.planOf(request)) ?? null,
    tasks: await store.tasks.tasks(filter),
    holds: await holdsOn(store, request),
    history: historyOf(request, later),
  };
}

export function shownRequestShape({ request, tasks, holds, ...shown }: ShownRequest) {
  const { outcome, plan, history } = shown;
  return {
    ...requestShape(request),
    outcome,
    plan,
    legal_holds: holds,
    tasks: tasks.map(taskShape),
    history,
  };
}

function historyOf(request: RequestSummary, later: readonly AuditRow[]): HistoryRow[] {
  return [creationRow(request), ...later].map((row) => ({
    time: isoTime(row.time),
    action: row.action,
    actor: row.actor,
    detail: row.detail === null ? null : (shownJson(row.detail) as HistoryRow['detail']),
  }));
}

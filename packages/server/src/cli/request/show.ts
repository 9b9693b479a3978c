// `unwrite request show`: all that is known of one request, except who is meant.
import type { Command } from 'commander';
import type { AuditRow } from '../../domain/audit/audit-row.ts';
import { expectedCompletion } from '../../domain/deadline/expected-completion.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printLines, printTable, time } from '../shared/output.ts';
import { printEvidence } from '../task/print-evidence.ts';
import { printTasks, taskShape } from '../task/task-shape.ts';
import { findRequest } from './find-request.ts';

const MOST_TASKS = 1000;

export function addRequestShow(request: Command): void {
  const show = request
    .command('show <subject_request_id>')
    .description('Show a request: its plan, its tasks, their evidence and its history')
    .option('--controller <controller_id>', 'Where several controllers use the same id');
  withJson(withSettings(show)).action(
    (id: string, { controller, json }: { controller?: string; json?: boolean }) =>
      withInstallation(show, async ({ store }) => {
        const found = await findRequest(store, id, controller);
        const { controllerId, subjectRequestId } = found;
        const request = { controllerId, subjectRequestId };
        const later = await store.catalogue.auditOf(controllerId, subjectRequestId);
        const history = historyOf(found, later);
        const tasks = await store.tasks.tasks({ ...request, limit: MOST_TASKS });
        const plan = (await store.tasks.planOf(found)) ?? null;
        if (json) {
          printJson({ ...requestShape(found), plan, tasks: tasks.map(taskShape), history });
          return;
        }
        const targets = plan?.map(({ target, connector }) => `${target} (${connector})`);
        printFields({ ...requestShape(found), plan: targets?.join(', ') ?? null });
        printLines('');
        if (tasks.length > 0) {
          printTasks(tasks);
          printLines('');
        }
        printEvidence(tasks);
        printTable(
          ['time', 'action', 'actor', 'what'],
          history.map((row) => [row.time, row.action, row.actor, inWords(row.detail)]),
        );
      }),
  );
}

export function requestShape(request: RequestSummary) {
  return {
    controller_id: request.controllerId,
    subject_request_id: request.subjectRequestId,
    request_status: request.status,
    regulation: request.regulation,
    submitted_time: request.submittedTime,
    received_time: time(request.receivedTime),
    expected_completion_time: time(expectedCompletion(request.receivedTime)),
    cancelled_time: time(request.cancelledTime),
    completed_time: time(request.completedTime),
    identities: request.identityCount,
  };
}

type Detail = Readonly<Record<string, unknown>>;

function historyOf({ receivedTime, createdBy }: RequestSummary, later: readonly AuditRow[]) {
  const created = {
    time: receivedTime,
    action: 'request.created',
    actor: createdBy,
    detail: null,
  };
  return [created, ...later].map((row) => ({
    time: time(row.time),
    action: row.action,
    actor: row.actor,
    detail: row.detail === null ? null : (JSON.parse(row.detail) as Detail),
  }));
}

/** Rows by table stand in the evidence above. */
function inWords(detail: Detail | null): string | null {
  const parts = Object.entries(detail ?? {}).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [`${name}: ${value.join(', ')}`];
    return value === null || typeof value === 'object' ? [] : [`${name}: ${value}`];
  });
  return parts.join('; ') || null;
}

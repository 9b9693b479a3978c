import { REQUEST_STATUSES, type RequestStatus } from '@unwrite/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { duration } from '../config/kinds.ts';
import type { AuditRow } from '../domain/audit-row.ts';
import { expectedCompletion } from '../domain/expected-completion.ts';
import type { RequestFilter, TenantStore } from '../domain/ports.ts';
import type { RequestSummary } from '../domain/request.ts';
import { type AttentionOptions, listAttention } from './attention.ts';
import { controllerOf, findRequest } from './find-request.ts';
import { withInstallation } from './installation.ts';
import { readLimit, withJson, withSettings } from './options.ts';
import { printFields, printJson, printLines, printTable, time } from './output.ts';
import { addRequestActions } from './request-actions.ts';
import { printTasks, taskShape } from './task-shape.ts';

interface ListOptions extends AttentionOptions {
  readonly status?: RequestStatus;
  readonly olderThan?: number;
  readonly newerThan?: number;
  readonly attention?: boolean;
}

const MOST_TASKS = 1000;

export function addRequestCommands(program: Command): void {
  const request = program
    .command('request')
    .description('Erasure requests; identities are never shown');

  const list = request
    .command('list')
    .description('List requests, newest first')
    .option('--controller <controller_id>', 'Only those of this controller')
    .addOption(
      new Option('--status <status>', 'Only those in this state').choices(REQUEST_STATUSES),
    )
    .option('--older-than <duration>', 'Received longer ago than this, such as 7d', readAge)
    .option('--newer-than <duration>', 'Received within this time, such as 24h', readAge)
    .option('--attention', 'Only what does not go on by itself, or is late, with the reason')
    .option('--limit <number>', 'At most so many', readLimit, 50);
  withJson(withSettings(list)).action((options: ListOptions) =>
    withInstallation(list, ({ store }, config) => {
      if (options.attention) {
        listAttention(store, config, options);
        return;
      }
      const requests = store.catalogue.list(filterOf(options, store.tenants));
      if (options.json) printJson(requests.map(shape));
      else {
        printTable(
          ['controller_id', 'subject_request_id', 'status', 'received', 'expected completion'],
          requests.map((it) => [
            it.controllerId,
            it.subjectRequestId,
            it.status,
            time(it.receivedTime),
            time(expectedCompletion(it.receivedTime)),
          ]),
        );
        if (requests.length === options.limit) {
          process.stderr.write(`There may be more; --limit shows more than ${options.limit}.\n`);
        }
      }
    }),
  );

  const show = request
    .command('show <subject_request_id>')
    .description('Show a request and its history')
    .option('--controller <controller_id>', 'Where several controllers use the same id');
  withJson(withSettings(show)).action(
    (id: string, { controller, json }: { controller?: string; json?: boolean }) =>
      withInstallation(show, ({ store }) => {
        const found = findRequest(store, id, controller);
        const { controllerId, subjectRequestId } = found;
        const history = historyOf(found, store.catalogue.auditOf(controllerId, subjectRequestId));
        const tasks = store.tasks.tasks({ controllerId, subjectRequestId, limit: MOST_TASKS });
        if (json) {
          const plan = store.tasks.planOf(found) ?? null;
          printJson({ ...shape(found), plan, tasks: tasks.map(taskShape), history });
          return;
        }
        printFields(shape(found));
        printLines('');
        if (tasks.length > 0) {
          printTasks(tasks);
          printLines('');
        }
        printTable(
          ['time', 'action', 'actor'],
          history.map((row) => [row.time, row.action, row.actor]),
        );
      }),
  );

  addRequestActions(request);
}

function filterOf(options: ListOptions, tenants: TenantStore): RequestFilter {
  const controllerId = controllerOf(options.controller, tenants);
  const { status, olderThan, newerThan, limit } = options;
  return {
    limit,
    ...(controllerId !== undefined && { controllerId }),
    ...(status !== undefined && { status }),
    ...(olderThan !== undefined && { receivedBefore: Date.now() - olderThan * 1000 }),
    ...(newerThan !== undefined && { receivedAfter: Date.now() - newerThan * 1000 }),
  };
}

function historyOf({ receivedTime, createdBy }: RequestSummary, later: readonly AuditRow[]) {
  const created = { time: receivedTime, action: 'request.created', actor: createdBy };
  return [created, ...later].map((row) => ({
    time: time(row.time),
    action: row.action,
    actor: row.actor,
  }));
}

function shape(request: RequestSummary) {
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

const anyAge = duration('0s', '36500d');

function readAge(value: string): number {
  try {
    return anyAge.read(value);
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
}

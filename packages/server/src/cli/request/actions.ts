// Actions of operators on a request: start it now, or retry it now.
import type { Command } from 'commander';
import { retryRequest, startRequest } from '../../operator/request/operate-request.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';
import { addRequestIdentify } from './identify.ts';

interface ActionOptions {
  readonly controller?: string;
  readonly json?: boolean;
}

export function addRequestActions(request: Command): void {
  const start = request
    .command('start <subject_request_id>')
    .description('Start a pending request now, before its cancellation window has passed')
    .option(
      '--controller <controller_id>',
      'Needed if several controllers use the same request id',
    );
  withActor(withJson(withSettings(start))).action((asked: string, options: ActionOptions) =>
    withInstallation(start, async ({ store }) => {
      const by = { actor: actorOf(start), now: store.clock() };
      const named = { id: asked, controller: options.controller };
      const { request: found, status } = await startRequest(store, named, by);
      const id = found.subjectRequestId;
      if (options.json) printJson({ subject_request_id: id, request_status: status });
      else if (status === 'pending') {
        printLines(
          `Start requested. Request ${id} starts as soon as the server runs ("unwrite serve").`,
        );
      } else printLines(`Request ${id} is ${status}.`);
    }),
  );

  const retry = request
    .command('retry <subject_request_id>')
    .description('Retry its failed tasks now, also at targets that are down')
    .option(
      '--controller <controller_id>',
      'Needed if several controllers use the same request id',
    );
  withActor(withJson(withSettings(retry))).action((id: string, options: ActionOptions) =>
    withInstallation(retry, async ({ store }) => {
      const by = { actor: actorOf(retry), now: store.clock() };
      const named = { id, controller: options.controller };
      const { request: found, tasks } = await retryRequest(store, named, by);
      if (options.json) printJson({ subject_request_id: found.subjectRequestId, tasks });
      else
        printLines(
          `${tasks} ${tasks === 1 ? 'task is' : 'tasks are'} due now. Held tasks are not retried: see "unwrite task list".`,
        );
    }),
  );

  addRequestIdentify(request);
}

// What operators do to a request: start it now, retry it now, say who is meant.
import type { Command } from 'commander';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';
import { findRequest } from './find-request.ts';
import { addRequestIdentify } from './identify.ts';
import { requestStatusOf } from './request-status.ts';

interface ActionOptions {
  readonly controller?: string;
  readonly json?: boolean;
}

const START_WAIT_MS = 3000;

export function addRequestActions(request: Command): void {
  const start = request
    .command('start <subject_request_id>')
    .description('Start a pending request now, before its cancellation window has passed')
    .option('--controller <controller_id>', 'Where several controllers use the same id');
  withActor(withJson(withSettings(start))).action((asked: string, options: ActionOptions) =>
    withInstallation(start, async ({ store }) => {
      const found = await findRequest(store, asked, options.controller);
      const id = found.subjectRequestId;
      await store.operator.askStart(found, { actor: actorOf(start), now: store.clock() });
      const status = await untilStarted(() => requestStatusOf(store, found));
      if (options.json) printJson({ subject_request_id: id, request_status: status });
      else if (status === 'pending') {
        printLines(`Asked for. Request ${id} starts as soon as the server runs ("unwrite serve").`);
      } else printLines(`Request ${id} is ${status}.`);
    }),
  );

  const retry = request
    .command('retry <subject_request_id>')
    .description('Try its failed tasks again now, and ask targets that are down')
    .option('--controller <controller_id>', 'Where several controllers use the same id');
  withActor(withJson(withSettings(retry))).action((id: string, options: ActionOptions) =>
    withInstallation(retry, async ({ store }) => {
      const found = await findRequest(store, id, options.controller);
      const tasks = await store.operator.retry(found, {
        actor: actorOf(retry),
        now: store.clock(),
      });
      if (options.json) printJson({ subject_request_id: found.subjectRequestId, tasks });
      else
        printLines(
          `${tasks} ${tasks === 1 ? 'task is' : 'tasks are'} due now. Held tasks are not retried: see "unwrite task list".`,
        );
    }),
  );

  addRequestIdentify(request);
}

/** The server looks every second; whoever asked wants to see it happen. */
async function untilStarted<T extends string>(status: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + START_WAIT_MS;
  while ((await status()) === 'pending' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return status();
}

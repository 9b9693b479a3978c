// `unwrite request show`: everything about one request, except the person's identities.
import type { Command } from 'commander';
import { requestShape } from '../../operator/request/request-shape.ts';
import {
  type HistoryRow,
  shownRequestShape,
  showRequest,
} from '../../operator/request/show-request.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { printFields, printJson, printLines, printTable } from '../shared/output.ts';
import { printEvidence } from '../task/print-evidence.ts';
import { printTasks } from '../task/print-tasks.ts';

export function addRequestShow(request: Command): void {
  const show = request
    .command('show <subject_request_id>')
    .description('Show a request: its plan, its tasks, their evidence and its history')
    .option(
      '--controller <controller_id>',
      'Needed if several controllers use the same request id',
    );
  withJson(withSettings(show)).action(
    (id: string, { controller, json }: { controller?: string; json?: boolean }) =>
      withInstallation(show, async ({ store }) => {
        const shown = await showRequest(store, id, controller);
        if (json) {
          printJson(shownRequestShape(shown));
          return;
        }
        const { request: found, plan, tasks, holds, history } = shown;
        const targets = plan?.map(({ target, connector }) => `${target} (${connector})`);
        const { outcome } = shownRequestShape(shown);
        printFields({ ...requestShape(found), outcome, plan: targets?.join(', ') ?? null });
        printLines(
          ...holds.map(
            ({ hold, until, reason }) =>
              `Legal hold ${hold}, until ${until ?? 'it is lifted'}: ${reason}`,
          ),
          '',
        );
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

/** Rows by table are left out: they are in the evidence above. */
function inWords(detail: HistoryRow['detail']): string | null {
  const parts = Object.entries(detail ?? {}).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [`${name}: ${value.join(', ')}`];
    return value === null || typeof value === 'object' ? [] : [`${name}: ${value}`];
  });
  return parts.join('; ') || null;
}

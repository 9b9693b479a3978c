import type { Command } from 'commander';
import { retainTask } from '../../operator/task/end-task.ts';
import type { TaskOptions } from '../../operator/task/find-task.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';

interface RetainOptions extends TaskOptions {
  readonly reason: string;
  readonly legalBasis: string;
  readonly json?: boolean;
}

export function addTaskRetain(task: Command): void {
  const retain = task
    .command('retain <task>')
    .description('End a task without erasing, for a legal reason; the receipt lists it first')
    .requiredOption('--reason <text>', 'Why the data is kept; no personal data in it')
    .requiredOption('--legal-basis <text>', 'The legal basis, such as "GDPR 17(3)(b)"')
    .option('--controller <controller_id>', 'Needed if several controllers use the same request id')
    .option('--target <name>', 'Needed if the request has several tasks');
  withActor(withJson(withSettings(retain))).action((id: string, options: RetainOptions) =>
    withInstallation(retain, async (installation) => {
      const { legalBasis } = options;
      const by = { actor: actorOf(retain), now: installation.store.clock() };
      const { task: found, status } = await retainTask(installation, id, options, options, by);
      if (options.json) printJson({ retained: found.taskNo, request_status: status });
      else {
        printLines(
          `Retained: task ${found.taskNo} (${found.target}), ${legalBasis}. Request ${found.subjectRequestId} is ${status}.`,
        );
      }
    }),
  );
}

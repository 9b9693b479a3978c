import type { Command } from 'commander';
import type { TaskState } from '../../domain/task/task.ts';
import { refuseIdentitiesIn } from '../request/no-identities.ts';
import { requestStatusOf } from '../request/request-status.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines } from '../shared/output.ts';
import { findTask, type TaskOptions } from './find-task.ts';

interface RetainOptions extends TaskOptions {
  readonly reason: string;
  readonly legalBasis: string;
  readonly json?: boolean;
}

const RETAINABLE: readonly TaskState[] = ['held', 'failed', 'waiting'];

export function addTaskRetain(task: Command): void {
  const retain = task
    .command('retain <task>')
    .description('End a task without erasing, for a legal reason; it stands first in the receipt')
    .requiredOption('--reason <text>', 'Why the data is kept; no personal data in it')
    .requiredOption('--legal-basis <text>', 'Such as "GDPR 17(3)(b)"')
    .option('--controller <controller_id>', 'Where several controllers use the same id')
    .option('--target <name>', 'Where the request has several tasks');
  withActor(withJson(withSettings(retain))).action((id: string, options: RetainOptions) =>
    withInstallation(retain, async (installation) => {
      const { store } = installation;
      const found = await findTask(store, id, options, {
        done: 'retained',
        fits: ({ state }) => RETAINABLE.includes(state),
      });
      const { reason, legalBasis } = options;
      const actor = actorOf(retain);
      const texts = { '--reason': reason, '--legal-basis': legalBasis, '--as': actor };
      await refuseIdentitiesIn(texts, installation, found);
      await store.operator.retain(
        found.taskNo,
        { reason, legalBasis },
        { actor, now: store.clock() },
      );
      const status = await requestStatusOf(store, found);
      if (options.json) printJson({ retained: found.taskNo, request_status: status });
      else {
        printLines(
          `Retained: task ${found.taskNo} (${found.target}), ${legalBasis}. Request ${found.subjectRequestId} is ${status}.`,
        );
      }
    }),
  );
}

// `unwrite restored`: after a backup of the store was restored, shows what is known about the time since the
// backup.
import type { Command } from 'commander';
import type { Installation } from '../../app/installation.ts';
import type { Config } from '../../config/config.ts';
import { NotKept, readHappened } from '../../operator/restore/read-happened.ts';
import {
  confirmRestore,
  declareRestore,
  type GivenFile,
  reviewRestore,
  reviewShape,
} from '../../operator/restore/restored.ts';
import { readGivenFile } from '../audit/proof-verifier.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines, printTable } from '../shared/output.ts';

export function addRestoredCommands(program: Command): void {
  const restored = program
    .command('restored')
    .description(
      'After a backup of the store of Unwrite was restored: review what is missing, then continue',
    );
  addReview(restored);
  addConfirm(restored);
  addDeclare(restored);
}

interface ReviewOptions {
  readonly file?: readonly string[];
  readonly json?: boolean;
}

function addReview(restored: Command): void {
  const review = restored
    .command('review')
    .description(
      'List what is known, from files outside the store, to have happened since the backup',
    )
    .option('--file <file>', 'An export of the audit log, or a receipt; repeatable', addFile);
  withActor(withJson(withSettings(review))).action(({ file = [], json }: ReviewOptions) =>
    withInstallation(review, async (installation, config) => {
      const files = file.map(readFile);
      await (await watchOf(installation, config)).lookClosely();
      const { store } = installation;
      const by = { actor: actorOf(review), now: store.clock() };
      const { shape } = reviewShape(await reviewRestore(store, files, by));
      if (json) printJson(shape);
      else printReview(shape);
    }),
  );
}

interface ConfirmOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

function addConfirm(restored: Command): void {
  const confirm = restored
    .command('confirm')
    .description(
      'Cancel again what was cancelled since the backup, and let starts and erasing continue',
    )
    .option('--yes', 'Confirm even if the list was not reviewed, or has changed since');
  withActor(withJson(withSettings(confirm))).action(({ yes, json }: ConfirmOptions) =>
    withInstallation(confirm, async (installation, config) => {
      const { store } = installation;
      const watch = await watchOf(installation, config);
      await watch.lookClosely();
      const by = { actor: actorOf(confirm), now: store.clock() };
      let strange = 0;
      const cancelled = await confirmRestore(store, yes ?? false, by, (requests) => {
        strange = requests.filter(({ isOurs }) => !isOurs).length;
        return true;
      });
      // Updates the files in this folder, so that they match the store from now on.
      await watch.look();
      if (json) printJson({ cancelled });
      else
        printLines(
          `Confirmed. ${counted(cancelled, 'request')} cancelled again; starts and erasing continue.`,
          ...(strange === 0
            ? []
            : [`Nothing was done about ${counted(strange, 'item')} of the list: no MAC of ours.`]),
        );
    }),
  );
}

function addDeclare(restored: Command): void {
  const declare = restored
    .command('declare')
    .description(
      'Declare a restore that Unwrite cannot notice; nothing starts until it is confirmed',
    );
  withActor(withJson(withSettings(declare))).action(({ json }: { json?: boolean }) =>
    withInstallation(declare, async ({ store }) => {
      const by = { actor: actorOf(declare), now: store.clock() };
      const isNew = await declareRestore(store, by);
      if (json) printJson({ went_back: true });
      else
        printLines(
          isNew
            ? 'Nothing starts and nothing is erased, on all nodes, until "unwrite restored confirm".'
            : 'The restore was recorded already: "unwrite restored review" lists what is known.',
        );
    }),
  );
}

async function watchOf({ store, vaultKeys }: Installation, config: Config) {
  const { createCommandWatch } = await import('../../app/restored-store.ts');
  return createCommandWatch(store, vaultKeys.ring, config);
}

function readFile(name: string): GivenFile {
  const content = readGivenFile(name).toString();
  try {
    return { name, happened: readHappened(content) };
  } catch (error) {
    throw error instanceof NotKept ? new CommandFailure(`${name} ${error.message}`) : error;
  }
}

function addFile(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function printReview(shape: ReturnType<typeof reviewShape>['shape']): void {
  if (!shape.went_back) {
    printLines('The store is not older than the newest known head and cancellation.');
    return;
  }
  printLines(
    `A backup of the store was restored: noticed at ${shape.detected_time} by ${shape.detected_by}.`,
    `${shape.reason}.`,
    `Its newest head then: ${shape.last_head_no}.`,
  );
  if (shape.requests.length === 0)
    printLines('Nothing else is known about the time since the backup.');
  else
    printTable(
      ['time', 'was', 'controller', 'request', 'known from', 'now', 'confirming'],
      shape.requests.map((it) => [
        it.time,
        it.was,
        it.controller_id,
        it.subject_request_id,
        it.known_from,
        it.request_status,
        it.confirming,
      ]),
    );
  printLines(
    'Other nodes add to this list when they start. Ask your controllers what they have cancelled since the backup.',
    'Then: unwrite restored confirm',
  );
}

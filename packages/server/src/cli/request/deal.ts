// What an operator does for a controller: `request create`, `request cancel` and `request extend`.
import { REGULATIONS } from '@unwrite/protocol';
import { type Command, Option } from 'commander';
import { cancelRequest, extendRequest } from '../../operator/request/end-or-extend.ts';
import { enterRequest } from '../../operator/request/enter-request.ts';
import { requestLine } from '../../operator/request/request-line.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, timeInSentence } from '../shared/output.ts';
import { readUntil } from '../shared/read-time.ts';
import { type IdentityOptions, readIdentityOptions, withIdentities } from './identity-options.ts';

interface CreateOptions extends IdentityOptions {
  readonly controller: string;
  readonly regulation: string;
  readonly id?: string;
  readonly submitted?: string;
  readonly json?: boolean;
}

interface ReasonOptions {
  readonly controller?: string;
  readonly reason: string;
  readonly json?: boolean;
}

export function addRequestDeals(request: Command): void {
  addCreate(request);
  addCancel(request);
  addExtend(request);
}

function addCreate(request: Command): void {
  const create = request
    .command('create')
    .description('Enter a request for a controller, because a letter came in')
    .requiredOption('--controller <controller_id>', 'The controller whose person asked')
    .addOption(
      new Option('--regulation <regulation>', 'The law that applies')
        .choices(REGULATIONS)
        .default('gdpr'),
    )
    .option('--id <subject_request_id>', 'A UUID version 4; made up if left out')
    .option('--submitted <time>', 'When the person asked (RFC 3339); now if left out');
  withIdentities(create);
  withActor(withJson(withSettings(create))).action(async (options: CreateOptions) => {
    const person = await readIdentityOptions(options);
    await withInstallation(create, async (installation) => {
      const by = { actor: actorOf(create), now: installation.store.clock() };
      const made = await enterRequest(installation, { ...options, person }, by);
      if (options.json) printJson(requestLine(made, undefined));
      else {
        printLines(
          `Request ${made.subjectRequestId} is pending. It starts after the cancellation window; only another operator can start it before, or release its tasks.`,
        );
      }
    });
  });
}

function addCancel(request: Command): void {
  const cancel = request
    .command('cancel <subject_request_id>')
    .description('Cancel a pending request; nothing of it is erased')
    .requiredOption('--reason <text>', 'Why, for the audit log; no personal data in it')
    .option(
      '--controller <controller_id>',
      'Needed if several controllers use the same request id',
    );
  withActor(withJson(withSettings(cancel))).action((id: string, options: ReasonOptions) =>
    withInstallation(cancel, async (installation) => {
      const by = { actor: actorOf(cancel), now: installation.store.clock() };
      const named = { id, controller: options.controller };
      const { subjectRequestId } = await cancelRequest(installation, named, options.reason, by);
      const status = 'cancelled';
      if (options.json) printJson({ subject_request_id: subjectRequestId, request_status: status });
      else printLines(`Request ${subjectRequestId} is ${status}.`);
    }),
  );
}

function addExtend(request: Command): void {
  const extend = request
    .command('extend <subject_request_id>')
    .description('Record that the controller has extended the statutory deadline')
    .requiredOption(
      '--until <day>',
      'The new deadline: two further months at most (GDPR), 45 days (CCPA)',
      readUntil,
    )
    .requiredOption('--reason <text>', "The controller's word; no personal data in it")
    .option(
      '--controller <controller_id>',
      'Needed if several controllers use the same request id',
    );
  withActor(withJson(withSettings(extend))).action(
    (id: string, options: ReasonOptions & { readonly until: number }) =>
      withInstallation(extend, async (installation) => {
        const by = { actor: actorOf(extend), now: installation.store.clock() };
        const named = { id, controller: options.controller };
        const extended = await extendRequest(installation, named, options, by);
        if (options.json) printJson(requestLine(extended, undefined));
        else {
          printLines(
            `The statutory deadline of request ${extended.subjectRequestId} is ${timeInSentence(extended.extendedUntil ?? options.until)}.`,
          );
        }
      }),
  );
}

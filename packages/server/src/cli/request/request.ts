import { REQUEST_STATUSES, type RequestStatus } from '@unwrite/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { duration } from '../../config/kinds.ts';
import { listRequests } from '../../operator/request/list-requests.ts';
import { FINAL_OUTCOMES, type OutcomeFilter } from '../../operator/request/request-line.ts';
import { usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { readLimit, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable, warnIfLimited } from '../shared/output.ts';
import { addRequestActions } from './actions.ts';
import { type AttentionOptions, showAttention } from './attention.ts';
import { addRequestDeals } from './deal.ts';
import { addRequestShow } from './show.ts';

interface ListOptions extends AttentionOptions {
  readonly status?: RequestStatus;
  readonly outcome?: OutcomeFilter;
  readonly olderThan?: number;
  readonly newerThan?: number;
  readonly attention?: boolean;
}

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
    .addOption(
      new Option('--outcome <outcome>', 'Only completed ones that ended so').choices(
        FINAL_OUTCOMES,
      ),
    )
    .option('--older-than <duration>', 'Received longer ago than this, such as 7d', readAge)
    .option('--newer-than <duration>', 'Received within this time, such as 24h', readAge)
    .option('--attention', 'Only requests that are stuck or late, with the reason')
    .option('--limit <number>', 'Maximum number to list', readLimit, 50);
  withJson(withSettings(list)).action((options: ListOptions) =>
    withInstallation(list, async ({ store }, config) => {
      if (options.attention) {
        refuseFilters(options);
        await showAttention(store, config, options);
        return;
      }
      const requests = await listRequests(store, options);
      if (options.json) printJson(requests);
      else if (requests.length === 0) printLines('There are no such requests.');
      else {
        printTable(
          [
            'controller_id',
            'subject_request_id',
            'status',
            'outcome',
            'received',
            'expected completion',
          ],
          requests.map((it) => [
            it.controller_id,
            it.subject_request_id,
            it.request_status,
            it.outcome,
            it.received_time,
            it.expected_completion_time,
          ]),
        );
        warnIfLimited(requests.length, options.limit);
      }
    }),
  );

  addRequestShow(request);
  addRequestActions(request);
  addRequestDeals(request);
}

/** If these filters were ignored silently, the list would look complete. */
function refuseFilters({ status, outcome, olderThan, newerThan }: ListOptions): void {
  const isOfEnded = status !== undefined || outcome !== undefined;
  if (isOfEnded || olderThan !== undefined || newerThan !== undefined) {
    throw usageFailure('--attention goes with --controller and --limit only');
  }
}

const anyAge = duration('0s', '36500d');

function readAge(value: string): number {
  try {
    return anyAge.read(value);
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
}

// The three steps from an empty installation to the first erasure. Shown until all are done, and while the very
// first request is open or was just completed.

import { asTyped } from '../../domain/own-command.ts';
import type { RequestSummary } from '../../domain/request/request.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';

/** For this long after the first erasure, its receipt is still linked. */
const SHOWN_AFTER_MS = 3_600_000;

export async function readFirstSteps(
  { views, clock }: Pick<Store, 'views' | 'clock'>,
  targets: readonly TargetConfig[],
) {
  const totals = await views.totals();
  if ((totals.get('completed') ?? 0) > 1) return null;
  const { items: requests } = await views.requests({ limit: 2 });
  const { items: controllers } = await views.controllers({ limit: 200 });
  const withClient = controllers.find(({ clients }) => clients > 0);
  // Without the flag, a command works with the store of production.
  const flag = targets.some(({ connector }) => connector === 'sandbox') ? ' --sandbox' : '';
  const steps = [
    {
      step: 'client',
      title: 'Make a client for a controller',
      done: withClient !== undefined,
      how: asTyped(
        `A controller is an organisation whose requests you take; its client has the credentials. At the command line: unwrite client create${flag} --controller acme`,
      ),
    },
    {
      step: 'target',
      title: 'Name a system that holds personal data',
      done: targets.length > 0,
      how: asTyped(
        'Declare it in unwrite.config.yaml, in the folder where Unwrite was started, then reload the settings (unwrite config reload). "unwrite target suggest" writes a draft from the database.',
      ),
    },
    {
      step: 'request',
      title: 'Send a request to erase somebody',
      done: requests.length > 0,
      how: 'With a token of the client: POST /requests. /docs shows every call.',
    },
  ] as const;
  const [first, second] = requests;
  const isOver = second !== undefined || (first !== undefined && isLongCompleted(first, clock()));
  if (isOver && steps.every(({ done }) => done)) return null;
  return {
    steps,
    controller_id: withClient?.controllerId ?? null,
    request: first === undefined ? null : shape(first),
  };
}

function isLongCompleted({ status, completedTime }: RequestSummary, now: number): boolean {
  if (status === 'cancelled') return true;
  return completedTime !== null && now - completedTime > SHOWN_AFTER_MS;
}

function shape({ controllerId, subjectRequestId, status }: RequestSummary) {
  return {
    controller_id: controllerId,
    subject_request_id: subjectRequestId,
    request_status: status,
  };
}

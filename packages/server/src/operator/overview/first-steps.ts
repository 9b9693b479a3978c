// The three steps from an empty installation to the first erasure; shown until all are done.
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';

export async function readFirstSteps(
  { views }: Pick<Store, 'views'>,
  targets: readonly TargetConfig[],
) {
  const totals = await views.totals();
  const open = await views.openRequests();
  const { items: controllers } = await views.controllers({ limit: 200 });
  const hasRequest = open.pending.count > 0 || open.in_progress.count > 0 || totals.size > 0;
  const steps = [
    {
      step: 'client',
      title: 'Make a client for a controller',
      done: controllers.some(({ clients }) => clients > 0),
      how: 'Controllers, then "New client"; or: unwrite client create --controller acme',
    },
    {
      step: 'target',
      title: 'Name a system that holds personal data',
      done: targets.length > 0,
      how: 'Add it under "targets" in unwrite.config.yaml and restart; "unwrite target suggest" writes a draft from the database',
    },
    {
      step: 'request',
      title: 'Send a request to erase somebody',
      done: hasRequest,
      how: 'POST /requests with the token of the client; /docs shows the call and sends it',
    },
  ] as const;
  return steps.every(({ done }) => done) ? null : { steps };
}

// After the store went back in time: what is known of the time that it lost, and going on.
import {
  confirmRestore,
  declareRestore,
  reviewRestore,
  reviewShape,
} from '../../../operator/restore/restored.ts';
import type { OperatorContext } from '../context.ts';
import type { DefineRoute } from '../shared/route.ts';
import { integer, record } from '../shared/shapes.ts';
import { restoreShape } from './shapes.ts';

const TAG = 'System';

export function restoreRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store } = context;
  route({
    ...{ method: 'GET', path: '/restore', role: 'viewer', id: 'getRestore', tag: TAG },
    summary:
      'Whether a backup of the store was restored, and what is known to have happened since it was made',
    answer: restoreShape,
    async handle() {
      const restores = await store.restores.restores();
      const restore = restores.find(({ confirmedTime }) => confirmedTime === null);
      const requests = restore === undefined ? [] : await store.restores.findings();
      return reviewShape({ restore, requests });
    },
  });
  route({
    ...{ method: 'POST', path: '/restore/review', role: 'operator', id: 'reviewRestore', tag: TAG },
    summary: 'The same, and record the review, which is needed before confirming',
    answer: restoreShape,
    async handle({ by }) {
      await context.lookAtStore();
      return reviewShape(await reviewRestore(store, [], by));
    },
  });
  route({
    ...{ method: 'POST', path: '/restore/declare', role: 'admin', id: 'declareRestore', tag: TAG },
    summary:
      'Declare a restore of the store that Unwrite cannot notice; nothing starts until it is confirmed',
    answer: restoreShape,
    async handle({ by }) {
      await declareRestore(store, by);
      return reviewShape(await reviewRestore(store, [], by));
    },
  });
  route({
    ...{ method: 'POST', path: '/restore/confirm', role: 'admin', id: 'confirmRestore', tag: TAG },
    summary:
      'Cancel again what was cancelled since the backup, and let starts and erasing continue',
    body: {
      type: 'object',
      required: [],
      properties: {
        anyway: {
          type: 'boolean',
          description: 'Confirm even if the list has grown since the review',
        },
      },
    },
    answer: record({ cancelled: integer }),
    errors: [409],
    async handle({ body: { anyway = false }, by }) {
      await context.lookAtStore();
      return { cancelled: await confirmRestore(store, anyway, by) };
    },
  });
}

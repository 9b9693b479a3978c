// The overview, what needs attention, and graphs over time.
import { readAttention } from '../../../operator/overview/attention.ts';
import { readOverview } from '../../../operator/overview/overview.ts';
import { readStatistics } from '../../../operator/overview/statistics.ts';
import { WHAT_TO_DO } from '../../../operator/overview/what-to-do.ts';
import type { OperatorContext } from '../context.ts';
import { controllerQuery, limitOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { createPacedReads } from './paced-reads.ts';
import { attentionShape, overviewShape, statisticsShape } from './shapes.ts';

const TAG = 'Overview';
/** Most items of each kind of trouble. */
const MAX_LISTED = 1000;

export function overviewRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, settings } = context;
  const paced = createPacedReads();
  route({
    method: 'GET',
    path: '/overview',
    role: 'viewer',
    id: 'getOverview',
    tag: TAG,
    summary: 'What needs a decision, which deadline is nearest, how requests and targets stand',
    answer: overviewShape,
    handle: () =>
      paced('overview', () => readOverview(store, settings(), context.processorCertificate())),
  });
  route({
    method: 'GET',
    path: '/attention',
    role: 'viewer',
    id: 'listAttention',
    tag: TAG,
    summary: 'What is stuck, late or waits for a person, nearest deadline first',
    description: 'At most 1,000 items of each kind are read; capped says that there are more.',
    query: {
      type: 'object',
      required: [],
      properties: {
        ...controllerQuery,
        what: { enum: WHAT_TO_DO, description: 'Only those about which this is to be done' },
        reason: { type: 'string', maxLength: 100 },
        target: { type: 'string', maxLength: 200 },
        limit: { type: 'integer', minimum: 1, maximum: 1000, description: '50 if left out' },
      },
    },
    answer: attentionShape,
    errors: [404],
    async handle({ query }) {
      const { controller, what, reason, target } = query;
      const wanted = { controller, what, reason, target, limit: MAX_LISTED };
      const { items, capped } = await paced(JSON.stringify(wanted), () =>
        readAttention(store, settings(), wanted),
      );
      const limit = limitOf(query);
      return { items: items.slice(0, limit), capped: capped || items.length > limit };
    },
  });
  route({
    method: 'GET',
    path: '/statistics',
    role: 'viewer',
    id: 'getStatistics',
    tag: TAG,
    summary: 'Arrivals, starts, completions, cancellations and hours to completion, by day (UTC)',
    description: 'Arrivals and hours are counted about once a minute: up_to says until when.',
    query: {
      type: 'object',
      required: [],
      properties: {
        ...controllerQuery,
        days: { type: 'integer', minimum: 1, maximum: 366, description: '30 if left out' },
      },
    },
    answer: statisticsShape,
    errors: [404],
    handle: ({ query: { days = 30, controller } }) => readStatistics(store, { days, controller }),
  });
}

// The list of requests, and the search by identity.
import { isSubjectRequestId, REGULATIONS, REQUEST_STATUSES } from '@unwrite/protocol';
import type { RequestPlace } from '../../../domain/operator/view-ports.ts';
import type { RequestSummary } from '../../../domain/request/request.ts';
import { controllerOf } from '../../../operator/controller/find-controller.ts';
import { findByBeginning } from '../../../operator/request/find-by-beginning.ts';
import { FINAL_OUTCOMES, linesOf, requestLines } from '../../../operator/request/request-line.ts';
import { searchByIdentity } from '../../../operator/request/search-identity.ts';
import type { OperatorContext } from '../context.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { identitiesOf, identitiesSchema } from '../shared/identities.ts';
import { controllerQuery, endOf, limitOf, pageQuery, timeOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { flag, list, page, record } from '../shared/shapes.ts';
import { requestLineShape } from './shapes.ts';

const TAG = 'Requests';

export function requestListRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store } = context;
  route({
    method: 'GET',
    path: '/requests',
    role: 'viewer',
    id: 'listRequests',
    tag: TAG,
    summary: 'Requests, newest first; id takes an id, or its first 8 characters or more',
    description:
      'As they came; with status=completed or cancelled, as they ended. A page may be short and still have a next one: no page reads more than 10,000 requests for a filter.',
    query: {
      type: 'object',
      required: [],
      properties: {
        ...pageQuery,
        ...controllerQuery,
        status: { enum: REQUEST_STATUSES },
        outcome: { enum: FINAL_OUTCOMES, description: 'Only completed ones that ended so' },
        regulation: { enum: REGULATIONS },
        received_from: {
          type: 'string',
          description: 'Received on this day, at this time, or later',
        },
        received_to: {
          type: 'string',
          description: 'Received up to this day, or before this time',
        },
        id: {
          type: 'string',
          description:
            'A subject_request_id, of whichever controller, or how it begins: at least 8 characters',
        },
      },
    },
    answer: page(requestLineShape),
    errors: [404],
    async handle({ query }) {
      const controllerId = await controllerOf(query.controller, store.tenants);
      const after = placeOf(query.after);
      const receivedFrom = timeOf('received_from', query.received_from);
      const receivedUntil = endOf('received_to', query.received_to);
      if (query.id !== undefined) {
        const found = await byId(
          query.id,
          controllerId,
          ({ status, regulation, receivedTime }) =>
            status === (query.status ?? status) &&
            regulation === (query.regulation ?? regulation) &&
            receivedTime >= (receivedFrom ?? receivedTime) &&
            receivedTime < (receivedUntil ?? Number.POSITIVE_INFINITY),
        );
        const isWanted = (outcome: string) => outcome === (query.outcome ?? outcome);
        return { items: found.filter(({ outcome }) => isWanted(outcome)), next: null };
      }
      const { items, next } = await requestLines(store, {
        limit: limitOf(query),
        ...(controllerId !== undefined && { controllerId }),
        ...(query.status !== undefined && { status: query.status }),
        ...(query.outcome !== undefined && { outcome: query.outcome }),
        ...(query.regulation !== undefined && { regulation: query.regulation }),
        ...(receivedFrom !== undefined && { receivedFrom }),
        ...(receivedUntil !== undefined && { receivedUntil }),
        ...(after !== undefined && { after }),
      });
      return { items, next: writeCursor(next && [next.time, next.requestNo]) };
    },
  });
  route({
    method: 'POST',
    path: '/search',
    role: 'operator',
    id: 'searchRequests',
    tag: TAG,
    summary: 'Requests that named a person, newest first',
    description:
      'By keyed digests; each search is in the audit log (seen.asked). Requests that have not started are not found.',
    body: {
      type: 'object',
      required: ['identities'],
      properties: { ...controllerQuery, identities: identitiesSchema },
    },
    answer: record({ items: list(requestLineShape), capped: flag }),
    errors: [404],
    async handle({ body, by }) {
      const person = identitiesOf(body.identities);
      const { items, capped } = await searchByIdentity(context, body.controller, person, by);
      return { items: await linesOf(store, items), capped };
    },
  });

  async function byId(
    id: string,
    controllerId: Parameters<typeof store.catalogue.find>[1],
    isWanted: (request: RequestSummary) => boolean,
  ) {
    const found = isSubjectRequestId(id)
      ? await store.catalogue.find(id, controllerId)
      : await findByBeginning(store.catalogue, id, controllerId);
    return linesOf(store, found.filter(isWanted));
  }
}

function placeOf(after: string | undefined): RequestPlace | undefined {
  const place = readCursor(after, ['number?', 'number']);
  if (place === undefined) return undefined;
  const [time, requestNo] = place as [number | null, number];
  return { time, requestNo };
}

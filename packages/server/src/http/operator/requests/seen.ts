// Whether people were erased: for a program that is about to bring people in, and must not bring these back.
import { REQUEST_STATUSES } from '@unwrite/protocol';
import { OUTCOMES } from '../../../domain/request/outcome.ts';
import { findController } from '../../../operator/controller/find-controller.ts';
import { erasedShape, findErased } from '../../../operator/request/find-erased.ts';
import { ApiError } from '../../api-error.ts';
import { createRateLimit } from '../../limits/rate-limit.ts';
import type { OperatorContext } from '../context.ts';
import { identitiesOf, identitiesSchema } from '../shared/identities.ts';
import type { DefineRoute } from '../shared/route.ts';
import { flag, list, maybeTime, oneOf, orNull, record, text, time } from '../shared/shapes.ts';

const MAX_PEOPLE = 1000;
/** For each controller, at each node. */
const CALLS_A_MINUTE = 60;

export function seenRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store } = context;
  const limit = createRateLimit({ perMinute: CALLS_A_MINUTE, nodes: () => 1, now: store.clock });
  route({
    method: 'POST',
    path: '/seen',
    // A token that only asks must not be able to decide anything.
    role: 'viewer',
    id: 'seenPeople',
    tag: 'Requests',
    summary: 'For each of many people: whether they were erased, and by which requests',
    description: `For the tokens of scripts alone, such as an import: up to ${MAX_PEOPLE} people of one controller in a call, ${CALLS_A_MINUTE} calls a minute. By keyed digests; nothing of a call is stored, and the audit log has its controller and the number of people (seen.asked). Requests that have not started are not found.`,
    body: {
      type: 'object',
      required: ['controller', 'people'],
      properties: {
        controller: { type: 'string', maxLength: 200 },
        people: {
          type: 'array',
          maxItems: MAX_PEOPLE,
          items: {
            type: 'object',
            required: ['identities'],
            properties: { identities: identitiesSchema },
          },
        },
      },
    },
    answer: record({
      people: {
        ...list(
          record({
            erased: { ...flag, description: 'All that these requests found was erased' },
            outcome: orNull(oneOf(...OUTCOMES)),
            requests: list(
              record({
                subject_request_id: text,
                request_status: oneOf(...REQUEST_STATUSES),
                received_time: time,
                completed_time: maybeTime,
                outcome: oneOf(...OUTCOMES),
              }),
            ),
          }),
        ),
        description: 'In the order of the call. outcome is null where no request named the person',
      },
    }),
    errors: [404, 429],
    async handle({ body: { controller, people }, operator, by }) {
      if (operator.by !== 'client')
        throw new ApiError(
          403,
          'Only the token of an operator client may ask about many people; search finds the requests of one person',
        );
      const { controllerId } = await findController(store.tenants, controller);
      const refused = limit.refuse(controllerId);
      if (refused !== undefined) throw refused;
      const asked = people.map(({ identities }) => identitiesOf(identities));
      const found = await findErased(context, controllerId, asked, by);
      return { people: found.map(erasedShape) };
    },
  });
}

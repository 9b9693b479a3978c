// Legal holds: nothing of a person or a request is erased until they end.

import { NotFound } from '../../../operator/failures.ts';
import {
  legalHoldShape,
  liftOnce,
  listHolds,
  placedShape,
  placeHold,
} from '../../../operator/legal-hold/legal-holds.ts';
import type { OperatorContext } from '../context.ts';
import { identitiesOf, identitiesSchema } from '../shared/identities.ts';
import { controllerQuery, endOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { flag, list, record, text, time } from '../shared/shapes.ts';
import { holdFields, legalHoldSchema } from './shapes.ts';

const TAG = 'Legal holds';
const DAY_LENGTH = '2027-06-30'.length;
const reason = { type: 'string', minLength: 1, maxLength: 2000 } as const;

export function legalHoldRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store } = context;
  route({
    method: 'GET',
    path: '/legal-holds',
    role: 'viewer',
    id: 'listLegalHolds',
    tag: TAG,
    summary: 'Legal holds in force, newest first; all: also those that have ended',
    query: {
      type: 'object',
      required: [],
      properties: { ...controllerQuery, all: { type: 'boolean' } },
    },
    answer: record({ items: list(legalHoldSchema) }),
    errors: [404],
    async handle({ query: { controller, all = false } }) {
      return { items: (await listHolds(store, controller, all)).map(legalHoldShape) };
    },
  });
  route({
    method: 'POST',
    path: '/legal-holds',
    role: 'operator',
    id: 'placeLegalHold',
    tag: TAG,
    summary: 'Place a legal hold on a request or a person: nothing of it is erased until it ends',
    description:
      'A hold on a person, of whom keyed digests are stored, also stops requests that come later. too_late says what was erased before, or was being committed when that was last known.',
    body: {
      type: 'object',
      required: ['reason'],
      properties: {
        controller: { type: 'string', maxLength: 200 },
        subject_request_id: { type: 'string', description: 'On this request' },
        identities: { ...identitiesSchema, description: 'On this person of the controller' },
        reason,
        until: {
          type: 'string',
          description: 'A time, or a day to its end; until lifted if left out',
        },
      },
    },
    answer: record({
      ...holdFields,
      requests: { ...list(text), description: 'Open requests on which it is' },
      too_late: list(
        record({
          subject_request_id: text,
          target: text,
          erased_time: time,
          is_committing: {
            ...flag,
            description: 'The target was committing it then; how that ended is not known yet',
          },
        }),
      ),
    }),
    status: 201,
    errors: [404, 409],
    async handle({ body, by }) {
      const { controller, subject_request_id: request, identities, reason: why } = body;
      const person = identities && identitiesOf(identities);
      const end = endOf('until', body.until);
      // The last moment of a day.
      const until = end !== undefined && body.until?.length === DAY_LENGTH ? end - 1 : end;
      return placedShape(
        await placeHold(context, { controller, request, person, reason: why, until }, by),
      );
    },
  });
  route({
    method: 'POST',
    path: '/legal-holds/:hold/lift',
    role: 'operator',
    id: 'liftLegalHold',
    tag: TAG,
    summary: 'Lift a legal hold: what waited only for it goes on',
    body: { type: 'object', required: ['reason'], properties: { reason } },
    answer: legalHoldSchema,
    errors: [404, 409],
    async handle({ params, body, by }) {
      const holdNo = Number(params.hold);
      if (!Number.isSafeInteger(holdNo) || holdNo < 1) {
        throw new NotFound(`there is no legal hold ${params.hold}`);
      }
      return legalHoldShape(await liftOnce(context, holdNo, body.reason, by));
    },
  });
}

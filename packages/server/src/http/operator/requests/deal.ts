// What an operator does for a controller: enters a request, cancels one, extends the statutory deadline of one.
import { REGULATIONS } from '@unwrite/protocol';
import { lastReason } from '../../../operator/request/accept-evidence.ts';
import { cancelRequest, extendRequest } from '../../../operator/request/end-or-extend.ts';
import { enterRequest } from '../../../operator/request/enter-request.ts';
import { requestPage } from '../../../operator/request/request-page.ts';
import type { OperatorContext } from '../context.ts';
import { identitiesOf, identitiesSchema } from '../shared/identities.ts';
import { endOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { createDecisions, IF_MATCH, PATH, readerOf } from './decisions.ts';
import { requestPageShape } from './shapes.ts';

const reason = { type: 'string', minLength: 1, maxLength: 2000 } as const;

export function dealRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, settings, identities } = context;
  const { pageFor, decide } = createDecisions(context);

  route({
    method: 'POST',
    path: '/requests',
    role: 'operator',
    id: 'enterRequest',
    tag: 'Requests',
    summary: 'Enter a request for a controller, because a letter came in',
    description:
      'It counts towards the daily limit of starts; its creator can neither start it early nor release its tasks, and the receipt says who entered it.',
    body: {
      type: 'object',
      required: ['controller', 'regulation', 'identities'],
      properties: {
        controller: { type: 'string', maxLength: 200 },
        regulation: { enum: REGULATIONS },
        identities: identitiesSchema,
        subject_request_id: { type: 'string', description: 'Made up if left out' },
        submitted_time: { type: 'string', description: 'When the person asked; now if left out' },
      },
    },
    answer: requestPageShape,
    status: 201,
    errors: [404, 409],
    async handle(call) {
      const {
        controller,
        regulation,
        subject_request_id: id,
        submitted_time: submitted,
      } = call.body;
      const person = identitiesOf(call.body.identities);
      const entered = { controller, regulation, person, id, submitted };
      const { controllerId, subjectRequestId } = await enterRequest(context, entered, call.by);
      const made = { id: subjectRequestId, controller: controllerId };
      return requestPage({ store, identities, ...settings() }, made, readerOf(call));
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/cancel`,
    role: 'operator',
    id: 'cancelRequest',
    tag: 'Requests',
    summary: 'Cancel a pending request; the reason is in the audit log',
    description: IF_MATCH,
    body: { type: 'object', required: ['reason'], properties: { reason } },
    answer: requestPageShape,
    errors: [404, 409],
    async handle(call) {
      await decide(
        call,
        'request.cancelled',
        (name, by) => cancelRequest(context, name, call.body.reason, by),
        async (request) =>
          (await lastReason(store, request, 'request.cancelled')) === call.body.reason,
      );
      return pageFor(call);
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/extend`,
    role: 'operator',
    id: 'extendDeadline',
    tag: 'Requests',
    summary: 'Record that the controller has extended the statutory deadline',
    description: `At most latest_extension; expected_completion_time never moves. ${IF_MATCH}`,
    body: {
      type: 'object',
      required: ['until', 'reason'],
      properties: { until: { type: 'string', description: 'A time, or a day to its end' }, reason },
    },
    answer: requestPageShape,
    errors: [404, 409],
    async handle(call) {
      const { reason: why } = call.body;
      const until = (endOf('until', call.body.until) ?? 0) - 1;
      await decide(
        call,
        'request.extended',
        (name, by) => extendRequest(context, name, { until, reason: why }, by),
        async (request) => (await lastReason(store, request, 'request.extended')) === why,
      );
      return pageFor(call);
    },
  });
}

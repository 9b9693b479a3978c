// The end of a controller's contract.
import {
  closeController,
  closingFacts,
  closingOf,
  requireConfirmed,
} from '../../../operator/controller/close-controller.ts';
import type { OperatorContext } from '../context.ts';
import type { DefineRoute } from '../shared/route.ts';
import { integer, maybeTime, record, text } from '../shared/shapes.ts';

const TAG = 'Controllers';
const PATH = '/controllers/:controller_id';
const closingShape = record({
  controller_id: text,
  closed_time: maybeTime,
  pending: { ...integer, description: 'Requests that have not started' },
  in_progress: integer,
  legal_holds: integer,
});

export function closeRoutes(route: DefineRoute, { store, signClosing }: OperatorContext): void {
  route({
    method: 'GET',
    path: `${PATH}/closing`,
    role: 'viewer',
    id: 'getClosing',
    tag: TAG,
    summary: 'What is open of a controller before its contract ends, or since',
    answer: closingShape,
    errors: [404],
    handle: ({ params }) => closingOf(store, params.controller_id ?? ''),
  });
  route({
    method: 'POST',
    path: `${PATH}/close`,
    role: 'admin',
    id: 'closeController',
    tag: TAG,
    summary: 'End the contract of a controller: all access is revoked, its open requests end',
    description:
      'Cannot be undone. Repeating it changes nothing but pending: cancel. Records are forgotten after their retention, then the controller.',
    body: {
      type: 'object',
      required: ['reason', 'confirm'],
      properties: {
        reason: { type: 'string', minLength: 1, maxLength: 2000 },
        pending: {
          enum: ['wait', 'cancel'],
          description: 'What becomes of requests that have not started; wait if left out',
        },
        confirm: { type: 'string', maxLength: 200, description: 'The controller_id again' },
      },
    },
    answer: closingShape,
    errors: [404, 409],
    async handle({ params, body, by }) {
      const id = params.controller_id ?? '';
      requireConfirmed(id, body.confirm);
      const { reason, pending = 'wait' } = body;
      await closeController(store, id, { reason, pending }, by);
      return closingOf(store, id);
    },
  });
  route({
    method: 'GET',
    path: `${PATH}/statement`,
    role: 'viewer',
    id: 'getClosingStatement',
    tag: TAG,
    summary: 'The signed closing statement of a closed controller without open requests',
    answer: { type: 'object', description: 'The bytes that were signed' },
    errors: [404, 409],
    async handle({ params, reply }) {
      const facts = await closingFacts(store, params.controller_id ?? '');
      const name = `closing-statement-${facts.controllerId}.json`;
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Buffer.from(await signClosing(facts)));
    },
  });
}

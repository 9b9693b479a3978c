// The signed receipts of a request: those that its controller gets, and the full ones.
import { ReceiptRefused } from '../../../domain/receipt/receipt.ts';
import { NotPossible } from '../../../domain/task/operator-ports.ts';
import { NotFound } from '../../../operator/failures.ts';
import { findRequest } from '../../../operator/request/find-request.ts';
import type { OperatorContext } from '../context.ts';
import type { DefineRoute } from '../shared/route.ts';
import { named } from './decisions.ts';

const NO_SCRIPTS =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function receiptRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, receipts } = context;
  route({
    method: 'GET',
    path: '/requests/:controller_id/:subject_request_id/receipts/:number',
    role: 'viewer',
    id: 'getReceiptOfRequest',
    tag: 'Requests',
    summary:
      'A receipt, as the controller gets it or with `kind=full`: 1 is that of the request, 2 and more are addenda of later runs',
    query: {
      type: 'object',
      required: [],
      properties: {
        format: { enum: ['json', 'html'], description: 'json if left out' },
        kind: {
          enum: ['controller', 'full'],
          description:
            'controller if left out: as the controller gets it. full: with tables, targets and names of staff',
        },
      },
    },
    answer: {
      description: 'The bytes that were signed, or a page made of them',
      content: {
        'application/json': { schema: { type: 'object' } },
        'text/html': { schema: { type: 'string' } },
      },
    },
    errors: [404, 409],
    async handle(call) {
      const { id, controller } = named(call);
      const request = await findRequest(store, id, controller);
      const { subjectRequestId, status } = request;
      if (status !== 'completed') {
        throw new NotPossible(
          `request ${subjectRequestId} is ${status}; only completed ones have a receipt`,
        );
      }
      const issued = await explained(() => receipts.issue(request));
      const number = Number(call.params.number);
      const receipt = issued[number - 1];
      if (receipt === undefined) {
        throw new NotFound(`there is no such receipt; the request has ${issued.length}`);
      }
      const { reply, query } = call;
      const isFull = query.kind === 'full';
      const document = isFull ? receipt.fullDocument : receipt.document;
      if (query.format === 'html') {
        return reply
          .type('text/html; charset=utf-8')
          .header('content-security-policy', NO_SCRIPTS)
          .send(await receipts.render(document));
      }
      const name = `${isFull ? 'full-' : ''}receipt-${subjectRequestId}-${number}.json`;
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Buffer.from(document));
    },
  });
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ReceiptRefused)) throw error;
    throw new NotPossible(
      `no receipt is signed: ${error.message}. Another program wrote to the store: put back what was changed from a backup. Where the evidence as it is now is right, an admin can vouch for it; the receipt says so`,
    );
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type GivenReceipt, ReceiptRefused } from '../../domain/receipt/receipt.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { RequestStore } from '../../domain/request/request-ports.ts';
import { ApiError } from '../api-error.ts';
import { errorResponses } from '../error-responses.ts';
import { requestNotFound, subjectRequestIdOf } from '../opendsr/request-path.ts';
import type { ReceiptsContext } from './context.ts';
import { type ReceiptQuery, receiptQueryOf, receiptQuerySchema } from './receipt-query.ts';

/** The worker signs within about a second of the completion. */
const WAIT_MS = 3000;
const POLL_MS = 100;
const NO_SCRIPTS =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function getReceipt(app: FastifyInstance, context: ReceiptsContext): void {
  app.get(
    '/receipts/:subject_request_id',
    {
      onRequest: context.requireToken,
      // The schema only documents; receiptQueryOf checks, and explains what is wrong.
      validatorCompiler: () => () => true,
      schema: {
        operationId: 'getReceipt',
        summary: 'The signed receipt of a completed request',
        description:
          'An extension of Unwrite. The bytes are those that were signed. 404 until the request is completed.',
        tags: ['Receipts'],
        security: [{ bearer: [] }],
        querystring: receiptQuerySchema,
        response: {
          200: {
            description: 'The receipt',
            content: {
              'application/json': { schema: { type: 'object' } },
              'text/html': { schema: { type: 'string' } },
            },
          },
          ...errorResponses(400, 401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { controllerId } = request.principal;
      const key = { controllerId, subjectRequestId: subjectRequestIdOf(request) };
      const query = receiptQueryOf(request);
      await requireCompleted(context.requests, key);
      return send(reply, query, await receiptsOf(context, key), context.render);
    },
  );
}

async function requireCompleted(requests: RequestStore, key: RequestKey): Promise<void> {
  const state = await requests.read(key);
  if (state === undefined) throw requestNotFound();
  if (state.status === 'completed') return;
  throw new ApiError(
    404,
    `There is no receipt: this request is ${state.status}, and only completed ones have one`,
  );
}

/** Signing waits for the disk, so it is left to the worker while the worker is alive. */
async function receiptsOf(
  { given, issueNow }: ReceiptsContext,
  key: RequestKey,
): Promise<GivenReceipt[]> {
  try {
    for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
      const found = await given(key);
      if (found.length > 0) return found;
      await delay(POLL_MS);
    }
    return await issueNow(key);
  } catch (error) {
    if (!(error instanceof ReceiptRefused)) throw error;
    throw new ApiError(
      404,
      'There is no receipt: the records of this request do not agree with the audit log. The processor has been notified; ask them',
    );
  }
}

function send(
  reply: FastifyReply,
  { no, format }: ReceiptQuery,
  receipts: readonly GivenReceipt[],
  render: ReceiptsContext['render'],
): FastifyReply {
  const receipt = receipts[no - 1];
  if (receipt === undefined) {
    throw new ApiError(404, `There is no receipt ${no}; this request has ${receipts.length}`);
  }
  const { document } = receipt;
  if (format === 'json') {
    return reply.type('application/json; charset=utf-8').send(Buffer.from(document));
  }
  return reply
    .type('text/html; charset=utf-8')
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', NO_SCRIPTS)
    .send(render(document));
}

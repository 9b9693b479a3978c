// The evidence of a controller as one archive, written while it is sent.
import { findController } from '../../../operator/controller/find-controller.ts';
import type { OperatorContext } from '../context.ts';
import { endOf, timeOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { createLineStreams } from '../shared/stream-lines.ts';

const MAX_EXPORTS = 2;

export function exportRoutes(route: DefineRoute, context: OperatorContext): void {
  const stream = createLineStreams(MAX_EXPORTS);
  route({
    method: 'GET',
    path: '/controllers/:controller_id/export',
    role: 'operator',
    id: 'exportEvidence',
    tag: 'Controllers',
    summary:
      'Receipts and lists of a controller as one ZIP archive, to verify without a connection; two at once on a node',
    description:
      'The export is in the audit log (evidence.exported). An archive that was cut off has no directory, and no program opens it.',
    query: {
      type: 'object',
      required: [],
      properties: {
        from: {
          type: 'string',
          description: 'Requests received on this day, at this time or later',
        },
        to: {
          type: 'string',
          description: 'Requests received up to this day, or before this time',
        },
        full: {
          enum: ['true', 'false'],
          description: 'With full receipts and audit rows: tables, targets and names of staff',
        },
      },
    },
    answer: {
      description: 'The archive',
      content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
    },
    errors: [404, 429],
    async handle({ params, query, by, request, reply }) {
      const { controllerId } = await findController(
        context.store.tenants,
        params.controller_id ?? '',
      );
      const wanted = {
        controllerId,
        from: timeOf('from', query.from),
        until: endOf('to', query.to),
        full: query.full === 'true',
      };
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="${controllerId}-evidence.zip"`)
        .send(
          stream(
            async (write) => {
              await context.exportEvidence(wanted, write, by);
            },
            { mayRead: request.stillSignedIn },
          ),
        );
    },
  });
}

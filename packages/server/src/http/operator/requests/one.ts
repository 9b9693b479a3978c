// One request: its page, and the actions of operators.

import { ReceiptRefused } from '../../../domain/receipt/receipt.ts';
import { auditOfRequests } from '../../../operator/audit/audit-of-requests.ts';
import { auditRowShape } from '../../../operator/list-audit.ts';
import { acceptEvidence, lastReason } from '../../../operator/request/accept-evidence.ts';
import { findRequest } from '../../../operator/request/find-request.ts';
import {
  identifyRequest,
  retryRequest,
  startRequest,
} from '../../../operator/request/operate-request.ts';
import { previewPerson } from '../../../operator/request/preview-person.ts';
import { hasIdentities } from '../../../operator/request/request-identities.ts';
import { revealIdentity } from '../../../operator/request/reveal-identity.ts';
import { auditRow } from '../audit/shapes.ts';
import type { OperatorContext } from '../context.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { identitiesOf, identitiesSchema } from '../shared/identities.ts';
import { limitOf, pageQuery } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { integer, page, record, text } from '../shared/shapes.ts';
import { createDecisions, IF_MATCH, named, PATH, readerOf } from './decisions.ts';
import { fullPreview } from './preview.ts';
import { previewShape, requestPageShape } from './shapes.ts';

const TAG = 'Requests';

export function requestRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store, settings, identities } = context;
  const { pageFor, decide } = createDecisions(context);

  route({
    method: 'GET',
    path: PATH,
    role: 'viewer',
    id: 'getRequest',
    tag: TAG,
    summary: 'One request: timeline, tasks with their evidence, receipts, what can be done',
    description: 'Identities are masked; a viewer sees only of which type they are.',
    answer: requestPageShape,
    errors: [404],
    handle: pageFor,
  });
  route({
    method: 'GET',
    path: `${PATH}/audit`,
    role: 'viewer',
    id: 'listAuditOfRequest',
    tag: TAG,
    summary: 'What happened to a request, newest first, down to its creation',
    query: { type: 'object', required: [], properties: pageQuery },
    answer: page(auditRow),
    errors: [404],
    async handle(call) {
      const { id, controller } = named(call);
      const [after] = (readCursor(call.query.after, ['number']) ?? []) as number[];
      const { items, next } = await auditOfRequests(
        store,
        [await findRequest(store, id, controller)],
        { limit: limitOf(call.query), ...(after !== undefined && { after }) },
      );
      return { items: items.map(auditRowShape), next: writeCursor(next === null ? null : [next]) };
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/start`,
    role: 'operator',
    id: 'startRequest',
    tag: TAG,
    summary: 'Start a pending request now, before its cancellation window has passed',
    description: IF_MATCH,
    answer: requestPageShape,
    errors: [404, 409],
    async handle(call) {
      await decide(call, 'request.start_asked', (name, by) => startRequest(store, name, by));
      return pageFor(call);
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/retry`,
    role: 'operator',
    id: 'retryRequest',
    tag: TAG,
    summary: 'Retry its failed tasks now, also at targets that are down',
    description: IF_MATCH,
    answer: record({ tasks: integer, request: requestPageShape }),
    errors: [404, 409],
    async handle(call) {
      let tasks = 0;
      await decide(call, 'request.retried', async (name, by) => {
        ({ tasks } = await retryRequest(store, name, by));
      });
      return { tasks, request: await pageFor(call) };
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/identities`,
    role: 'operator',
    tag: TAG,
    id: 'addIdentities',
    summary: 'Add identities; finished tasks run again with all of them',
    description: IF_MATCH,
    body: {
      type: 'object',
      required: ['identities'],
      properties: { identities: identitiesSchema },
    },
    answer: requestPageShape,
    errors: [404, 409],
    async handle(call) {
      const added = identitiesOf(call.body.identities);
      await decide(
        call,
        'request.identified',
        (name, by) => identifyRequest(context, name, added, by),
        (request) => hasIdentities(context, request, added),
      );
      return pageFor(call);
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/preview`,
    role: 'operator',
    id: 'previewRequest',
    tag: TAG,
    summary: 'What erasing would do at each target now; changes nothing there',
    answer: previewShape,
    errors: [404, 409],
    async handle(call) {
      const { id, controller } = named(call);
      const { maxStartsPerDay } = settings();
      const preview = { store, identities, maxStartsPerDay, look: context.look };
      return fullPreview(await previewPerson(preview, { request: id, controller }, call.by));
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/accept-evidence`,
    role: 'admin',
    tag: TAG,
    id: 'acceptEvidence',
    summary: 'Vouch for evidence that differs from the audit log, so that a receipt is signed',
    description: IF_MATCH,
    body: {
      type: 'object',
      required: ['reason'],
      properties: { reason: { type: 'string', minLength: 1, maxLength: 2000 } },
    },
    answer: requestPageShape,
    errors: [404, 409],
    async handle(call) {
      const { reason } = call.body;
      await decide(
        call,
        'evidence.accepted',
        (name, by) => acceptEvidence(context, name, reason, by),
        async (request) => (await lastReason(store, request, 'evidence.accepted')) === reason,
      );
      const { id, controller } = named(call);
      const request = await findRequest(store, id, controller);
      // A refused receipt is tried again only when someone asks; if something else is wrong, the page says so.
      await context.receipts.issue(request).catch((error: unknown) => {
        if (!(error instanceof ReceiptRefused)) throw error;
      });
      return pageFor(call);
    },
  });
  route({
    method: 'POST',
    path: `${PATH}/reveal`,
    role: 'operator',
    id: 'revealIdentity',
    tag: TAG,
    summary: 'One identity in clear; who, when and why is in the audit log',
    description:
      'For people who have signed in, never for scripts: an operator while a manual task of the request is open, an admin at any time.',
    body: {
      type: 'object',
      required: ['identity', 'reason'],
      properties: {
        identity: { type: 'integer', minimum: 1, description: 'Its number in identity_list' },
        reason: { type: 'string', minLength: 1, maxLength: 2000 },
      },
    },
    answer: record({ identity_type: text, identity_value: text, identity_format: text }),
    errors: [404, 409],
    async handle(call) {
      const { identity: number, reason } = call.body;
      const asked = { number, reason, reader: readerOf(call) };
      const shown = await revealIdentity(context, named(call), asked, call.by);
      return {
        identity_type: shown.type,
        identity_value: shown.reveal(),
        identity_format: 'raw',
      };
    },
  });
}

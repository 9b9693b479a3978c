// The audit log: who did what and when, and whether it is unchanged since it was sealed.

import { AUDIT_ACTIONS } from '../../../domain/audit/audit-row.ts';
import { NoProof } from '../../../domain/audit/proof-documents.ts';
import { auditOfRequests } from '../../../operator/audit/audit-of-requests.ts';
import { damageShape } from '../../../operator/audit/damage-shape.ts';
import { verdictShape, verdictWords } from '../../../operator/audit/verdict.ts';
import { controllerOf } from '../../../operator/controller/find-controller.ts';
import { NotFound } from '../../../operator/failures.ts';
import { isoTime } from '../../../operator/iso-time.ts';
import { auditRowShape } from '../../../operator/list-audit.ts';
import type { OperatorContext } from '../context.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { controllerQuery, endOf, limitOf, pageQuery, timeOf } from '../shared/query.ts';
import type { DefineRoute } from '../shared/route.ts';
import { list, page, record, text } from '../shared/shapes.ts';
import { createLineStreams } from '../shared/stream-lines.ts';
import { auditRow, damageSchema, keysSchema, verdictSchema } from './shapes.ts';

const TAG = 'Audit';
const MAX_EXPORTS = 2;
const headNo = { type: 'integer', minimum: 1 } as const;

export function auditRoutes(route: DefineRoute, context: OperatorContext): void {
  const streamExport = createLineStreams(MAX_EXPORTS);
  const { store, audit } = context;
  route({
    method: 'GET',
    path: '/audit',
    role: 'viewer',
    id: 'listAudit',
    tag: TAG,
    summary: 'Rows of the audit log, newest first',
    description:
      'A page may be short and still have a next one: no page reads more than 20,000 rows.',
    query: {
      type: 'object',
      required: [],
      properties: {
        ...pageQuery,
        ...controllerQuery,
        request: {
          type: 'string',
          maxLength: 36,
          description: 'A subject_request_id: what happened to it after it was created',
        },
        actor: { type: 'string', maxLength: 300, description: 'Such as operator:olga or system' },
        action: { type: 'string', maxLength: 100, description: 'Such as task.retained' },
        by: { enum: ['operators'], description: 'Only what operators did' },
        since: { type: 'string', description: 'A day or a time' },
        until: { type: 'string', description: 'A day, which is included, or a time' },
      },
    },
    answer: page(auditRow),
    errors: [404],
    async handle({ query }) {
      const controllerId = await controllerOf(query.controller, store.tenants);
      const [after] = (readCursor(query.after, ['number']) ?? []) as number[];
      const since = timeOf('since', query.since);
      const until = endOf('until', query.until);
      const wanted = {
        limit: limitOf(query),
        ...(controllerId !== undefined && { controllerId }),
        ...(query.actor !== undefined && { actor: query.actor }),
        ...(query.action !== undefined && { action: query.action }),
        ...(query.by !== undefined && { byOperators: true }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
        ...(after !== undefined && { after }),
      };
      const { items, next } =
        query.request === undefined
          ? await store.views.audit(wanted)
          : await auditOfRequests(
              store,
              await store.catalogue.find(query.request.toLowerCase(), controllerId),
              wanted,
            );
      return {
        items: items.map(auditRowShape),
        next: writeCursor(next === null ? null : [next]),
      };
    },
  });
  route({
    method: 'GET',
    path: '/audit/actions',
    role: 'viewer',
    id: 'listAuditActions',
    tag: TAG,
    summary: 'All actions that rows of the audit log can have',
    answer: record({ items: list(text) }),
    handle: () => ({ items: AUDIT_ACTIONS }),
  });
  route({
    method: 'POST',
    path: '/audit/verify',
    role: 'operator',
    id: 'verifyAudit',
    tag: TAG,
    summary: 'Verify that the audit log is unchanged since it was sealed',
    description: 'Reads the whole log: with millions of rows it takes a while.',
    body: {
      type: 'object',
      required: [],
      properties: {
        heads: {
          type: 'array',
          maxItems: 100,
          items: {
            type: 'object',
            required: ['head_no', 'hash'],
            properties: { head_no: headNo, hash: { type: 'string', maxLength: 64 } },
          },
        },
      },
    },
    answer: verdictSchema,
    async handle({ body, by }) {
      const known = (body.heads ?? []).map(({ head_no, hash }) => ({
        headNo: head_no,
        hash: hash.toLowerCase(),
      }));
      const verdict = await audit.verify(known);
      const isWhole = verdict.problems.length === 0;
      return {
        ...verdictShape(verdict),
        words: isWhole ? verdictWords(verdict) : [...verdict.problems],
        verified_time: isoTime(by.now),
      };
    },
  });
  route({
    method: 'GET',
    path: '/audit/export',
    role: 'operator',
    id: 'exportAudit',
    tag: TAG,
    summary: 'Rows and heads as JSON lines, to keep and verify elsewhere; two at once on a node',
    query: {
      type: 'object',
      required: [],
      properties: { since: { type: 'string', description: 'Only heads made since then' } },
    },
    answer: {
      description: 'Lines of JSON',
      content: { 'application/x-ndjson': { schema: { type: 'string' } } },
    },
    errors: [429],
    handle({ query, request, reply }) {
      const since = timeOf('since', query.since) ?? 0;
      return reply
        .type('application/x-ndjson')
        .header('content-disposition', 'attachment; filename="audit.ndjson"')
        .send(
          streamExport((write) => audit.export(since, write), { mayRead: request.stillSignedIn }),
        );
    },
  });
  route({
    method: 'GET',
    path: '/audit/head',
    role: 'viewer',
    id: 'getOperatorAuditHead',
    tag: TAG,
    summary: 'The newest signed head, or with from the proof that it continues an older one',
    query: { type: 'object', required: [], properties: { from: headNo, to: headNo } },
    answer: { type: 'object' },
    errors: [404],
    async handle({ query: { from, to } }) {
      try {
        const proofs = await audit.proofs();
        return await (from === undefined ? proofs.newestHead() : proofs.consistency(from, to));
      } catch (error) {
        throw error instanceof NoProof ? new NotFound(error.message) : error;
      }
    },
  });
  route({
    method: 'GET',
    path: '/audit/key',
    role: 'viewer',
    id: 'getAuditKey',
    tag: TAG,
    summary: 'The public key that heads and receipts are verified with (PEM)',
    answer: keysSchema,
    handle: keys,
  });
  route({
    method: 'POST',
    path: '/audit/key/rotate',
    role: 'admin',
    id: 'rotateAuditKey',
    tag: TAG,
    summary: 'Replace the key that signs heads and receipts; the old key signs the new one',
    answer: keysSchema,
    async handle({ by }) {
      await audit.rotateKey(by);
      return keys();
    },
  });
  route({
    method: 'POST',
    path: '/audit/accept',
    role: 'admin',
    tag: TAG,
    id: 'acceptAuditDamage',
    summary: 'Accept what was changed in the audit log, after finding out who did it',
    description:
      'Deletes rows, heads and records that Unwrite did not write, and answers with them. Sealing and erasing go on.',
    body: {
      type: 'object',
      required: ['reason'],
      properties: { reason: { type: 'string', minLength: 1, maxLength: 2000 } },
    },
    answer: damageSchema,
    errors: [409],
    handle: async ({ body, by }) => damageShape(await audit.accept(body.reason, by)),
  });

  async function keys() {
    const { keyId, publicKey, published } = await audit.keys();
    const all = published.map((it) => ({
      key_id: it.keyId,
      created_time: isoTime(it.createdTime),
    }));
    return { key_id: keyId, public_key: publicKey, keys: all };
  }
}

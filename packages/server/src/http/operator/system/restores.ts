// After a backup of the store was restored: what is known about the time since the backup, and confirming.
import type { Static } from '@unwrite/protocol';
import { InvalidInput } from '../../../operator/failures.ts';
import { NotKept, readHappened } from '../../../operator/restore/read-happened.ts';
import {
  confirmedJustNow,
  confirmRestore,
  declareRestore,
  type GivenFile,
  type Review,
  type ReviewPlace,
  reviewEtag,
  reviewRestore,
  reviewShape,
} from '../../../operator/restore/restored.ts';
import type { OperatorContext } from '../context.ts';
import { readCursor, writeCursor } from '../shared/cursor.ts';
import { matches, tagged } from '../shared/etags.ts';
import { limitOf, pageQuery } from '../shared/query.ts';
import type { Call, DefineRoute } from '../shared/route.ts';
import { integer, record } from '../shared/shapes.ts';
import { restoreShape } from './shapes.ts';

const TAG = 'System';

const FILE = {
  type: 'object',
  required: ['name', 'content'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    content: {
      type: 'string',
      maxLength: 262_144,
      description: 'An export of the audit log, or a receipt',
    },
    first_line: {
      type: 'integer',
      minimum: 1,
      description: 'The number of its first line, where it is a part of an export; 1 if left out',
    },
  },
} as const;

export function restoreRoutes(route: DefineRoute, context: OperatorContext): void {
  const { store } = context;
  route({
    method: 'GET',
    path: '/restore',
    role: 'viewer',
    id: 'getRestore',
    tag: TAG,
    summary:
      'Whether a backup of the store was restored, and what is known to have happened since it was made',
    description:
      'The list is the oldest first. Its etag is that of the whole list, whichever page was read.',
    query: { type: 'object', required: [], properties: pageQuery },
    answer: restoreShape,
    async handle(call) {
      const restores = await store.restores.restores();
      const restore = restores.find(({ confirmedTime }) => confirmedTime === null);
      const requests = restore === undefined ? [] : await store.restores.findings();
      return answer(call, { restore, requests }, call.query);
    },
  });
  route({
    method: 'POST',
    path: '/restore/review',
    role: 'operator',
    id: 'reviewRestore',
    tag: TAG,
    summary: 'The same, and record the review, which is needed before confirming',
    description:
      'Answers the first page of the list. Files that were kept outside of the store add what they know. An export that is too large for one call can be sent in several, cut between two lines.',
    body: {
      type: 'object',
      required: [],
      properties: { files: { type: 'array', maxItems: 20, items: FILE } },
    },
    answer: restoreShape,
    async handle(call) {
      const given = (call.body.files ?? []).map(readFile);
      await context.lookAtStore();
      return answer(call, await reviewRestore(store, given, call.by));
    },
  });
  route({
    method: 'POST',
    path: '/restore/declare',
    role: 'admin',
    id: 'declareRestore',
    tag: TAG,
    summary:
      'Declare a restore of the store that Unwrite cannot notice; nothing starts until it is confirmed',
    answer: restoreShape,
    async handle(call) {
      await declareRestore(store, call.by);
      return answer(call, await reviewRestore(store, [], call.by));
    },
  });
  route({
    method: 'POST',
    path: '/restore/confirm',
    role: 'admin',
    id: 'confirmRestore',
    tag: TAG,
    summary:
      'Cancel again what was cancelled since the backup, and let starts and erasing continue',
    description: 'If-Match takes the etag of the list.',
    body: {
      type: 'object',
      required: [],
      properties: {
        anyway: {
          type: 'boolean',
          description: 'Confirm even if the list was not reviewed, or has changed since',
        },
      },
    },
    answer: record({ cancelled: integer }),
    errors: [409],
    async handle({ body: { anyway = false }, by, request }) {
      await context.lookAtStore();
      const before = await confirmedJustNow(store, by);
      if (before !== undefined) return { cancelled: before };
      const cancelled = await confirmRestore(store, anyway, by, (requests) =>
        matches(request, reviewEtag(requests)),
      );
      return { cancelled };
    },
  });
}

function answer(
  { request, reply }: Pick<Call<unknown, unknown>, 'request' | 'reply'>,
  review: Review,
  page: { readonly limit?: number; readonly after?: string } = {},
) {
  const after = readCursor(page.after, ['number', 'string', 'string', 'string']);
  const { shape, next } = reviewShape(review, {
    limit: limitOf(page),
    after: after as ReviewPlace | undefined,
  });
  return tagged(request, reply, {
    ...shape,
    count: review.requests.length,
    next: writeCursor(next),
    etag: reviewEtag(review.requests),
  });
}

function readFile({ name, content, first_line: firstLine }: Static<typeof FILE>): GivenFile {
  if (/\p{C}/u.test(name)) {
    throw new InvalidInput('name', 'must not have control or invisible characters');
  }
  try {
    return { name, happened: readHappened(content, firstLine) };
  } catch (error) {
    throw error instanceof NotKept ? new InvalidInput(name, error.message) : error;
  }
}

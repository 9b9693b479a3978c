// Server-sent events: what kinds of things have changed, and which requests. Never an identity.
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../api-error.ts';
import type { OperatorContext } from '../context.ts';
import { operatorErrors } from '../operator-errors.ts';
import { createChangesFeed } from './changes-feed.ts';

const LOOK_MS = 1000;
const KEEP_ALIVE_MS = 15_000;
const MAX_LISTENERS = 200;
/** Streams of one person or client over all tabs and sessions, so that others can have streams too. */
const MAX_OF_ONE = 20;
/** Bytes that may wait for a caller that does not read. */
const MAX_UNREAD_BYTES = 1_048_576;

interface OpenStream {
  readonly name: string;
  isOpen: boolean;
  end(): void;
  /** Ends the stream if its session has ended. */
  look(): Promise<void>;
}

export function eventRoutes(scope: FastifyInstance, { store }: OperatorContext): void {
  const feed = createChangesFeed(store.views, LOOK_MS);
  const open = new Set<OpenStream>();
  // Any call may have ended a session or revoked a client: their streams end at once.
  scope.addHook('onResponse', (request, _, done) => {
    if (request.method !== 'GET') for (const { look } of open) void look();
    done();
  });
  scope.addHook('preClose', (done) => {
    for (const { end } of open) end();
    feed.close();
    done();
  });
  scope.get(
    '/events',
    {
      config: { role: 'viewer', isBackground: true },
      schema: {
        operationId: 'listenToEvents',
        summary: 'What has changed, as server-sent events, within about a second of any node',
        description:
          'Role: viewer. "event: ready" once: what changes from then on is told. "event: alive" every 15 seconds. "event: changed" with data {"what": ["requests", …], "requests": [{"controller_id", "subject_request_id"}]}. requests is left out where there were more than 100. No identities.',
        tags: ['Events'],
        response: {
          200: {
            description: 'A stream that does not end by itself',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          ...operatorErrors(429),
        },
      },
    },
    (request, reply) => {
      const { name } = request.operator;
      const own = [...open].filter((stream) => stream.name === name).length;
      if (own >= MAX_OF_ONE) {
        throw new ApiError(
          429,
          `${name} has ${MAX_OF_ONE} streams of events open already; close one, or poll instead`,
        );
      }
      if (open.size >= MAX_LISTENERS) {
        throw new ApiError(429, 'Too many clients listen to events; poll instead');
      }
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-accel-buffering': 'no',
        'x-request-id': request.id,
      });
      raw.write('retry: 3000\n\n');
      let number = 0;
      // Checked before anything is written: changes after the end of the session are not sent to it.
      const stop = feed.listen(
        (event) => {
          void write(() => `event: changed\nid: ${++number}\ndata: ${JSON.stringify(event)}\n\n`);
        },
        () => void write(() => 'event: ready\ndata: {}\n\n'),
      );
      const alive = setInterval(
        () => void write(() => 'event: alive\ndata: {}\n\n'),
        KEEP_ALIVE_MS,
      ).unref();
      async function write(text: () => string): Promise<void> {
        // If the store is unavailable, the stream ends: a page that connects again reads everything again.
        const isSignedIn = await request.stillSignedIn().catch(() => false);
        if (!isSignedIn) end();
        else if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
        else if (listener.isOpen) raw.write(text());
      }
      function end(): void {
        listener.isOpen = false;
        stop();
        clearInterval(alive);
        open.delete(listener);
        raw.end();
      }
      async function look(): Promise<void> {
        if ((await request.stillSignedIn().catch(() => undefined)) === false) end();
      }
      const listener = { name, isOpen: true, end, look };
      open.add(listener);
      raw.on('close', end);
    },
  );
}

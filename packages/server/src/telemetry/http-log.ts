import type { FastifyInstance } from 'fastify';
import { isOfPostgres } from '../domain/store/store-unavailable.ts';
import { createFewLines } from './few-lines.ts';
import type { Log } from './log.ts';

/** A minute, of each kind. */
const MAX_LINES = 60;

/** What went wrong inside, by the id that the caller was given. */
export function createErrorLog(log: Log) {
  const failures = createFewLines(log, MAX_LINES);
  const refusals = createFewLines(log, MAX_LINES);
  return {
    failed(requestId: string, error: unknown): void {
      const what = isOfPostgres(error) ? { reason: reasonOf(error) } : { err: error };
      failures('error', { request_id: requestId, ...what }, 'a request failed');
    },
    unavailable(requestId: string, error: Error): void {
      const reason = reasonOf(error);
      refusals('warn', { request_id: requestId, reason }, 'a request was answered 503');
    },
  };
}

/** The message of our own errors, with their cause; of the stores' only their name for the fault. */
export function reasonOf(error: unknown): string {
  const { errstr } = error as { errstr?: string };
  if (errstr !== undefined) return `store: ${errstr}`;
  if (isOfPostgres(error)) return `store: ${error.code}`;
  if (!(error instanceof Error)) return 'unknown';
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/** One line a request, at debug: the routes' patterns, never paths, since a path is the caller's. */
export function logRequests(app: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('debug')) return;
  app.addHook('onResponse', (request, reply, done) => {
    log.debug(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        controller: request.principal?.controllerId,
      },
      'request',
    );
    done();
  });
}

import type { FastifyInstance } from 'fastify';
import type { Observe } from '../domain/observation.ts';
import { addSpan } from './trace.ts';

/** `route`: the method and the pattern, never a path, since a path is the caller's. */
export type Answered = (route: string, status: number, ms: number) => void;

export function createAnswered(observe: Observe): Answered {
  return (route, status, ms) => {
    observe('unwrite_http_request_duration_seconds', [route, String(status)], ms / 1000);
    const attributes = { 'http.route': route, 'http.response.status_code': status };
    addSpan(route, ms, attributes, status >= 500);
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Of what the framework serves; requests that are answered before it are observed where they are answered. */
export function observeAnswers(app: FastifyInstance, answered: Answered): void {
  app.addHook('onResponse', (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : 'other';
    const route = request.routeOptions.url?.replace(/^\/v2(?=\/)/, '') ?? 'unknown';
    answered(`${method} ${route}`, reply.raw.statusCode, reply.elapsedTime);
    done();
  });
}

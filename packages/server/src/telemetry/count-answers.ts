import type { FastifyInstance } from 'fastify';
import type { Metric } from './exposition.ts';

export interface AnswerCounts {
  /** `route`: the method and the pattern, never a path, since a path is the caller's. */
  count(route: string, status: number): void;
  metric(): Metric;
}

export function createAnswerCounts(): AnswerCounts {
  const routes = new Map<string, Map<number, number>>();
  return {
    count(route, status) {
      let counts = routes.get(route);
      if (counts === undefined) {
        counts = new Map();
        routes.set(route, counts);
      }
      counts.set(status, (counts.get(status) ?? 0) + 1);
    },
    metric: () => ({
      name: 'unwrite_http_responses_total',
      help: 'Answers by method and route, and status.',
      type: 'counter',
      samples: [...routes].flatMap(([route, counts]) =>
        [...counts].map(([status, value]) => ({
          labels: { route, status: String(status) },
          value,
        })),
      ),
    }),
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts what the framework serves; requests that are answered before it are counted where they are answered. */
export function countAnswers(app: FastifyInstance, { count }: AnswerCounts): void {
  app.addHook('onResponse', (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : 'other';
    const route = request.routeOptions.url?.replace(/^\/v2(?=\/)/, '') ?? 'unknown';
    count(`${method} ${route}`, reply.raw.statusCode);
    done();
  });
}

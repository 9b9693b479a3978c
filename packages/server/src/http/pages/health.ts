import { errorShape } from '@unwrite/protocol';
import type { FastifyInstance } from 'fastify';

/** The reasons why this node should get no traffic now; none when it is ready. */
export type Readiness = () => Promise<string[]>;

export function registerHealth(app: FastifyInstance, readiness: Readiness, version: string): void {
  const hidden = { schema: { hide: true } };

  app.get('/health/live', hidden, () => ({ status: 'live' }));
  app.get('/health/ready', hidden, async (_, reply) => {
    const reasons = await readiness();
    if (reasons.length === 0) return reply.send({ status: 'ready' });
    const message = `Not ready: ${reasons.join('; ')}`;
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({ ...errorShape(503, message), reasons });
  });
  app.get('/version', hidden, () => ({ name: 'unwrite', version, node: process.version }));
}

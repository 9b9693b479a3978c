import type { FastifyInstance } from 'fastify';
import type { Log } from '../telemetry/log.ts';

const SANDBOX_HEADER = 'X-Unwrite-Sandbox';

/** Every answer of a sandbox says so. Called last: whatever answers first must find the header there. */
export function markAnswers(servers: readonly (FastifyInstance | undefined)[], log: Log): void {
  log.warn('this is a sandbox: people are invented, and nothing is erased');
  for (const app of servers) {
    app?.server.prependListener('request', (_, raw) => raw.setHeader(SANDBOX_HEADER, 'true'));
  }
}

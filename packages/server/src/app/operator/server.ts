// Serves the operator API on the port for controllers (loaded with the first call to it), or on a separate
// port.
import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { SendError } from '../../http/errors.ts';
import { serveWhenAsked } from '../../http/operator/when-asked.ts';
import { registerHealth } from '../../http/pages/health.ts';
import type { HttpServerOptions } from '../../http/server.ts';
import { limitServer } from '../limits.ts';
import { VERSION } from '../version.ts';
import type { OperatorApiParts } from './api.ts';

export interface OperatorServer {
  /** Undefined if it is on the port for controllers. */
  readonly app: FastifyInstance | undefined;
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface OperatorServerParts {
  /** The server of the port for controllers. */
  readonly server: Server;
  readonly createApp: () => FastifyInstance;
  readonly sendError: SendError;
  readonly makeRequestId: HttpServerOptions['makeRequestId'];
  readonly notReadyBecause: () => Promise<string[]>;
  readonly api: OperatorApiParts;
}

export async function openOperatorServer(parts: OperatorServerParts): Promise<OperatorServer> {
  const { config, log } = parts.api;

  async function load(): Promise<FastifyInstance> {
    const { registerOperatorApi } = await import('./api.ts');
    const app = parts.createApp();
    registerOperatorApi(app, parts.api);
    return app;
  }

  if (config.operatorPort === null) {
    const { close } = serveWhenAsked(parts.server, load, (raw, request, error) =>
      parts.sendError(raw, parts.makeRequestId(request), error),
    );
    return { app: undefined, listen: async () => undefined, close };
  }
  const app = await load();
  app.get('/', (_, reply) => reply.redirect('/console'));
  registerHealth(app, parts.notReadyBecause, VERSION);
  limitServer(app.server, config, log);
  const port = config.operatorPort;
  return {
    app,
    async listen() {
      const { address } = await lookup(config.operatorHost);
      await app.listen({ host: address, port });
    },
    close: () => app.close(),
  };
}

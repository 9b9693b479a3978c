// Loads the operator API on the port for controllers with the first call to it: a server whose console is not
// used needs neither the time at start nor the memory.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

type Listener = (request: IncomingMessage, raw: ServerResponse) => void;

const PATHS = /^\/(?:operator|console)(?=[/?]|$)/;
const [O, C] = [0x6f, 0x63];

export interface WhenAsked {
  /** Ends what was loaded. */
  close(): Promise<void>;
}

/** Call after the listeners of controllers are registered, and before those that limit callers. */
export function serveWhenAsked(
  server: Server,
  load: () => Promise<FastifyInstance>,
  failed: (raw: ServerResponse, request: IncomingMessage, error: unknown) => void,
): WhenAsked {
  let loading: Promise<FastifyInstance> | undefined;

  async function loadOnce(): Promise<FastifyInstance> {
    try {
      const app = await load();
      await app.ready();
      return app;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  const before = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  server.on('request', (request, raw) => {
    if (!isForOperators(request.url ?? '')) {
      for (const listener of before) listener.call(server, request, raw);
      return;
    }
    loading ??= loadOnce();
    loading
      .then((app) => app.routing(request, raw))
      .catch((error: unknown) => failed(raw, request, error));
  });
  return {
    async close() {
      const app = await loading?.catch(() => undefined);
      await app?.close();
    },
  };
}

/** Compares the second character first: creates and status reads must not pay for a regular expression. */
function isForOperators(url: string): boolean {
  const second = url.charCodeAt(1);
  return (second === O || second === C) && PATHS.test(url);
}

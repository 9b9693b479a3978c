import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Direct } from './direct.ts';

type Listener = (request: IncomingMessage, raw: ServerResponse) => void;

/** Offers each request to `direct` first; those that it does not take go to the listeners that were registered before. */
export function takeBefore(server: Server, direct: Direct): void {
  const before = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  server.on('request', (request, raw) => {
    if (direct(request, raw)) return;
    for (const listener of before) listener.call(server, request, raw);
  });
}

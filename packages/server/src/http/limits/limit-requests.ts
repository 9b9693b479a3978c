// Limits the requests of a connection, in total and before the first of them is answered. Further requests are
// ignored: the connection ends with the responses to the earlier ones (RFC 9112 9.3.2 allows that, and a client
// knows what to send again).
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';

type Listener = (request: IncomingMessage, raw: ServerResponse) => void;

interface Counted extends Socket {
  requests?: number;
  pipelined?: number;
  /** The answer after which the connection ends. */
  lastAnswer?: ServerResponse;
}

export function limitRequests(
  server: Server,
  limits: Pick<ConnectionLimits, 'requestsPerConnection' | 'pipelined'>,
): void {
  const before = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  server.on('request', (request, raw) => {
    const socket = request.socket as Counted;
    if (socket.lastAnswer !== undefined) {
      // Ignored requests must not accumulate either.
      socket.pause();
      return;
    }
    const requests = (socket.requests ?? 0) + 1;
    socket.requests = requests;
    // Node gives an answer its socket when the previous answers are sent: nearly always at once.
    const pipelined = raw.socket === null ? countPipelined(socket, raw) : 0;
    if (requests >= limits.requestsPerConnection || pipelined >= limits.pipelined) {
      socket.lastAnswer = raw;
      raw.shouldKeepAlive = false;
    }
    for (const listener of before) listener.call(server, request, raw);
  });
}

function countPipelined(socket: Counted, raw: ServerResponse): number {
  const waiting = (socket.pipelined ?? 0) + 1;
  socket.pipelined = waiting;
  raw.once('close', () => {
    socket.pipelined = (socket.pipelined ?? 1) - 1;
  });
  return waiting;
}

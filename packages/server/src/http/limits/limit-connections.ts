// Limits connections, in all and from one address, and closes those that do not read their responses.
// Costs nothing per request: a sweep checks all connections every second.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../domain/network.ts';
import type { ConnectionLimits } from './connection-limits.ts';

const SWEEP_MS = 1000;

export interface ConnectionEvents {
  /** Connections closed because of a limit since the last call; called at most once a minute. */
  refused(counts: RefusedConnections): void;
}

export interface RefusedConnections {
  readonly tooMany: number;
  readonly tooManyOfAddress: number;
  readonly answersNotRead: number;
}

interface Unread {
  /** Bytes that must have been sent by then. */
  readonly upTo: number;
  readonly since: number;
}

/** `_parent`: the socket inside a TLS socket. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null; _parent?: Socket };

const TELL_MS = 60_000;

export function limitConnections(
  server: Server,
  limits: Pick<ConnectionLimits, 'connections' | 'perAddress' | 'answerTimeoutMs'>,
  isProxy: (address: string) => boolean,
  events: ConnectionEvents,
): void {
  /** Open connections and their addresses, in order of arrival. */
  const open = new Map<HttpSocket, string>();
  const byAddress = new Map<string, number>();
  const answered = new Set<Socket>();
  const around = new WeakMap<Socket, HttpSocket>();
  const unread = new Map<Socket, Unread>();
  let counts = { tooMany: 0, tooManyOfAddress: 0, answersNotRead: 0 };
  let toldAt = Number.NEGATIVE_INFINITY;

  function tell(what: keyof RefusedConnections): void {
    counts[what]++;
    if (performance.now() - toldAt < TELL_MS) return;
    toldAt = performance.now();
    events.refused(counts);
    counts = { tooMany: 0, tooManyOfAddress: 0, answersNotRead: 0 };
  }

  server.on('connection', (socket: HttpSocket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const ofAddress = (byAddress.get(address) ?? 0) + 1;
    const isTooMany = limits.perAddress !== null && ofAddress > limits.perAddress;
    if (isTooMany && !isProxy(socket.remoteAddress ?? '')) {
      tell('tooManyOfAddress');
      socket.destroy();
      return;
    }
    if (open.size >= limits.connections) {
      tell('tooMany');
      const dispensable = findDispensable(open, byAddress, around);
      if (dispensable === undefined) {
        socket.destroy();
        return;
      }
      dispensable.destroy();
    }
    open.set(socket, address);
    byAddress.set(address, ofAddress);
    socket.once('close', () => {
      open.delete(socket);
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    });
  });

  // With TLS, requests and responses are on a socket that wraps the TCP socket.
  server.on(
    'setSecureContext' in server ? 'secureConnection' : 'connection',
    (socket: HttpSocket) => {
      answered.add(socket);
      if (socket._parent) around.set(socket._parent, socket);
      socket.once('close', () => {
        answered.delete(socket);
        unread.delete(socket);
      });
    },
  );

  const sweep = setInterval(() => {
    const now = performance.now();
    for (const socket of answered) {
      if (socket.writableLength === 0) {
        if (unread.size > 0) unread.delete(socket);
        continue;
      }
      const mark = unread.get(socket);
      const gone = socket.bytesWritten - socket.writableLength;
      if (mark === undefined || gone >= mark.upTo) {
        unread.set(socket, { upTo: socket.bytesWritten, since: now });
      } else if (now - mark.since >= limits.answerTimeoutMs) {
        tell('answersNotRead');
        // Otherwise the system would keep unsent data until the caller has read it.
        if ('encrypted' in socket) socket.destroy();
        else socket.resetAndDestroy();
      }
    }
  }, SWEEP_MS).unref();
  server.once('close', () => clearInterval(sweep));
}

/**
 * The connection whose end loses least, of the address that has most: an idle one (clients must handle that, RFC 9112
 * 9.5), else one whose request has not arrived whole, or whose answer is not read. Otherwise half a request on each of
 * many connections would keep all other callers out.
 */
function findDispensable(
  open: ReadonlyMap<HttpSocket, string>,
  byAddress: ReadonlyMap<string, number>,
  around: WeakMap<Socket, HttpSocket>,
): HttpSocket | undefined {
  let most = 0;
  for (const count of byAddress.values()) most = Math.max(most, count);
  let incomplete: HttpSocket | undefined;
  let ofAnother: HttpSocket | undefined;
  for (const [socket, address] of open) {
    const answer = (around.get(socket) ?? socket)._httpMessage;
    if (socket.destroyed || isWorkedOn(answer)) continue;
    if (byAddress.get(address) !== most) ofAnother ??= socket;
    else if (!answer) return socket;
    else incomplete ??= socket;
  }
  return incomplete ?? ofAnother;
}

function isWorkedOn(answer: ServerResponse | null | undefined): boolean {
  return !!answer && answer.req.complete && !answer.writableEnded;
}

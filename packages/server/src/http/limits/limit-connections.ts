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
  /** In order of arrival. */
  const open = new Set<HttpSocket>();
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
      const idle = oldestIdle(open, around);
      if (idle === undefined) {
        socket.destroy();
        return;
      }
      idle.destroy();
    }
    open.add(socket);
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

/** An idle connection: closing it loses least, and clients must handle that (RFC 9112 9.5). */
function oldestIdle(
  open: ReadonlySet<HttpSocket>,
  around: WeakMap<Socket, HttpSocket>,
): HttpSocket | undefined {
  for (const socket of open) {
    const isBusy = (around.get(socket) ?? socket)._httpMessage;
    if (!isBusy && !socket.destroyed) return socket;
  }
  return undefined;
}

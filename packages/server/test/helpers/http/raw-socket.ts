// HTTP written by hand, for what no client library would send.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: string;
}

function open(url: string, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress });
  return once(socket, 'connect').then(() => socket);
}

export interface RawOptions {
  /** Ends the sending side after the text: the rest of a body never comes. */
  readonly halfClose?: boolean;
}

/**
 * Writes the pieces, each once the one before is on its way, and gives everything that came back
 * until the server closed the connection.
 */
export async function exchange(
  url: string,
  pieces: string | readonly string[],
  { halfClose = false }: RawOptions = {},
): Promise<string> {
  const socket = await open(url);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that cuts the connection while we still write is one of the answers looked for.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of [pieces].flat()) {
    if (socket.destroyed) break;
    await new Promise<void>((resolve) => socket.write(piece, 'latin1', () => resolve()));
  }
  if (halfClose) socket.end();
  await closed;
  return Buffer.concat(chunks).toString('latin1');
}

/** All answers in what came back; none when the connection was closed without one. */
export function readAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error('an answer without an end of its headers');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const headers = new Headers(lines.map((line) => splitHeader(line)));
    const length = status === 100 ? 0 : Number(headers.get('content-length') ?? 0);
    answers.push({ status, headers, text: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

export async function send(
  url: string,
  pieces: string | readonly string[],
  options: RawOptions = {},
): Promise<RawAnswer[]> {
  return readAnswers(await exchange(url, pieces, options));
}

/** A request as text; lines end as HTTP wants it. */
export function rawRequest(requestLine: string, headers: readonly string[], body = ''): string {
  return [requestLine, ...headers, '', body].join('\r\n');
}

export interface HeldConnection {
  readonly socket: Socket;
  /** When the text is on its way. */
  write(text: string): Promise<void>;
  /** All that came back, once it looks so; also when the server has closed the connection. */
  received(expected?: RegExp): Promise<string>;
  readonly closed: Promise<void>;
}

/** A connection that stays open; with `isReading: false` nothing that comes back is read. */
export async function holdOpen(
  url: string,
  pieces: readonly string[] = [],
  { isReading = true, localAddress }: { isReading?: boolean; localAddress?: string } = {},
): Promise<HeldConnection> {
  const socket = await open(url, localAddress);
  let received = '';
  let look: () => void = () => undefined;
  socket.on('error', () => undefined);
  if (isReading) {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      look();
    });
  }
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const held: HeldConnection = {
    socket,
    closed,
    write: (text) => new Promise((resolve) => socket.write(text, 'latin1', () => resolve())),
    received: (expected = /$^/) =>
      new Promise((resolve) => {
        look = () => {
          if (expected.test(received) || socket.destroyed) resolve(received);
        };
        look();
        void closed.then(look);
      }),
  };
  for (const piece of pieces) await held.write(piece);
  return held;
}

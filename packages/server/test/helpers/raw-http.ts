// Requests that no HTTP client would send: written to the socket line by line.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends the lines as they are, asks for the connection to be closed, and reads the answer. */
export async function sendRaw(url: string, lines: readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const [start = '', ...rest] = lines;
  socket.write([start, 'Connection: close', ...rest].join('\r\n'));
  const answer = await text(socket);
  const end = answer.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]),
    headers: answer.slice(0, end),
    body: answer.slice(end + 4),
  };
}

// Errors of the HTTP parser and its timeouts happen before there is a request or a reply: the answer
// in the contract's shape is written to the socket by hand, and the connection closed.

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorShape } from '@unwrite/protocol';

type Answer = readonly [status: number, reason: string, message: string];

const ANSWERS: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The headers are too large: at most 16 KiB together',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'Content Too Large',
    'The chunk extensions of the body are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'The request did not arrive in time; send it again',
  ],
};

const NOT_HTTP: Answer = [400, 'Bad Request', 'This is not a valid HTTP request'];

/** Answers after which the connection is closed. */
const ending = new WeakSet<ServerResponse>();

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
  // The request being answered arrived whole, so the broken one came after it on the same connection:
  // a 400 now would be read as the answer to the first, which may be stored already.
  if (answering?.req.complete === true && error.code !== 'ECONNRESET') {
    // Every further piece of the broken request raises an error again.
    if (ending.has(answering)) return;
    ending.add(answering);
    answering.once('finish', () => socket.destroySoon());
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) {
    socket.destroy();
    return;
  }
  const answer = ANSWERS[error.code ?? ''] ?? NOT_HTTP;
  socket.end(rawAnswer(answer), () => socket.destroy());
}

function rawAnswer([status, reason, message]: Answer): string {
  const body = JSON.stringify(errorShape(status, message));
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

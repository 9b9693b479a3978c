// Errors of the HTTP parser and its timeouts happen before there is a request or a reply: the answer
// in the contract's shape is written to the socket by hand, and the connection closed.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorShape } from '@unwrite/protocol';

const ANSWERS: Record<string, readonly [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large: at most 16 KiB together'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time; send it again'],
};

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) {
    socket.destroy();
    return;
  }
  const [status, message] = ANSWERS[error.code ?? ''] ?? [400, 'This is not a valid HTTP request'];
  socket.end(rawAnswer(status, message), () => socket.destroy());
}

export function rawAnswer(status: number, message: string): string {
  const body = JSON.stringify(errorShape(status, message));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

// The management port: metrics and health, for operators only, so without tokens and the API's error shape.
import { createServer, type Server, type ServerResponse } from 'node:http';

export interface ManagementDeps {
  /** The text, and its media type. */
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly notReadyBecause: () => Promise<string[]>;
}

export function createManagementServer({ metrics, notReadyBecause }: ManagementDeps): Server {
  async function answer(method: string, path: string, response: ServerResponse): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') {
      send(response, 405, 'text/plain; charset=utf-8', 'GET only\n', { allow: 'GET, HEAD' });
    } else if (path === '/metrics') {
      const { type, text } = await metrics();
      send(response, 200, type, text);
    } else if (path === '/health/live') {
      sendJson(response, 200, { status: 'live' });
    } else if (path === '/health/ready') {
      const reasons = await notReadyBecause();
      if (reasons.length === 0) sendJson(response, 200, { status: 'ready' });
      else sendJson(response, 503, { status: 'not ready', reasons });
    } else {
      const known = '/metrics, /health/live, /health/ready';
      send(response, 404, 'text/plain; charset=utf-8', `there are ${known}\n`);
    }
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    answer(request.method ?? 'GET', path, response).catch(() =>
      send(response, 503, 'text/plain; charset=utf-8', 'the store cannot be read\n'),
    );
  });
  server.requestTimeout = 10_000;
  return server;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body));
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': type, 'content-length': length, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

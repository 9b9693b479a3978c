import { createServer } from 'node:http';
import { freePort } from './free-port.ts';

export interface Listener {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** An HTTP server that notes every call and answers with the same JSON, or sends callers elsewhere. */
export async function startListener(
  answer: unknown = {},
  { redirectTo }: { readonly redirectTo?: string } = {},
): Promise<Listener> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    if (redirectTo !== undefined) response.writeHead(302, { location: redirectTo });
    response.end(JSON.stringify(answer));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

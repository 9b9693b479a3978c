import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

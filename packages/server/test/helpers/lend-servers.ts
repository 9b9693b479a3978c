// Vitest's global set-up: lends one server of each kind to all test files, started when the first
// asks. At the end of the run it says which could not be had, so that no run passes silently without.
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type DatabaseServer, type ServerKind, startGuarded } from './guarded-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly serverLender: string;
  }
}

interface Lendable {
  readonly title: string;
  readonly variable: string;
  readonly remedy: string;
}

const LENDABLE: Record<ServerKind, Lendable> = {
  postgres: {
    title: 'PostgreSQL',
    variable: 'UNWRITE_TEST_POSTGRES_URL',
    remedy: 'run `npm install` with its optional packages',
  },
  mariadb: {
    title: 'MariaDB',
    variable: 'UNWRITE_TEST_MYSQL_URL',
    remedy: "install Debian's packages mariadb-server-core and mariadb-client-core",
  },
};

export default async function lendServers(project: TestProject): Promise<() => Promise<void>> {
  const asked = new Map<ServerKind, Promise<LentServer>>();
  const server = createServer(async (request, response) => {
    const kind: ServerKind = request.url === '/mariadb' ? 'mariadb' : 'postgres';
    const lent = asked.get(kind) ?? provideServer(kind);
    asked.set(kind, lent);
    const url = await lent.then(
      (found) => found.url,
      () => '',
    );
    response.end(url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  project.provide('serverLender', `http://127.0.0.1:${address.port}`);

  return async () => {
    server.closeAllConnections();
    server.close();
    for (const [kind, lent] of asked) {
      await lent.then(
        (found) => found.close(),
        (error: Error) => console.log(notTested(LENDABLE[kind], error.message)),
      );
    }
  };
}

type LentServer = Pick<DatabaseServer, 'url' | 'close'>;

async function provideServer(kind: ServerKind): Promise<LentServer> {
  const url = process.env[LENDABLE[kind].variable];
  return url ? { url, close: async () => undefined } : startGuarded(kind);
}

function notTested({ title, variable, remedy }: Lendable, reason: string): string {
  return `\nNot tested, because no ${title} server could be had: ${reason}. Set ${variable} or ${remedy}.`;
}

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
  pgbouncer: {
    title: 'PgBouncer',
    // The program: it stands before the run's PostgreSQL server.
    variable: 'UNWRITE_TEST_PGBOUNCER',
    remedy: "install Debian's package pgbouncer",
  },
};

export default async function lendServers(project: TestProject): Promise<() => Promise<void>> {
  const asked = new Map<ServerKind, Promise<LentServer>>();
  const server = createServer(async (request, response) => {
    const kind = request.url?.slice(1) ?? '';
    const url = await lend(kind as ServerKind).then(
      (found) => found.url,
      () => '',
    );
    response.end(url);
  });

  function lend(kind: ServerKind): Promise<LentServer> {
    const lent = asked.get(kind) ?? provide(kind);
    asked.set(kind, lent);
    return lent;
  }

  async function provide(kind: ServerKind): Promise<LentServer> {
    if (kind === 'pgbouncer') return startGuarded(kind, (await lend('postgres')).url);
    const url = process.env[LENDABLE[kind].variable];
    if (url) return { url, close: async () => undefined };
    // scripts/mysql.mjs has unpacked one.
    const unpacked = kind === 'mariadb' ? process.env.UNWRITE_TEST_MYSQL_FOLDER : undefined;
    return unpacked ? startGuarded('mysql', unpacked) : startGuarded(kind);
  }

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

function notTested({ title, variable, remedy }: Lendable, reason: string): string {
  return `\nNot tested, because no ${title} server could be had: ${reason}. Set ${variable} or ${remedy}.`;
}

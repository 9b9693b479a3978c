// Vitest's global set-up: lends one server of each kind to all test files, started when the first asks.
import { createServer } from 'node:http';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { noteVersion } from '../run-notes.ts';
import { type DatabaseServer, type ServerKind, startGuarded } from './guarded-server.ts';
import { pgbouncerVersion } from './run-pgbouncer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly serverLender: string;
  }
}

/** Where the server is, or why there is none. */
export interface LentAnswer {
  readonly url?: string;
  readonly reason?: string;
}

/** Servers that are already there. */
const GIVEN: Record<ServerKind, string | undefined> = {
  postgres: process.env.UNWRITE_TEST_POSTGRES_URL,
  mariadb: process.env.UNWRITE_TEST_MYSQL_URL,
  // A program, which is started before the run's PostgreSQL server.
  pgbouncer: undefined,
};

export default async function lendServers(project: TestProject): Promise<() => Promise<void>> {
  const asked = new Map<ServerKind, Promise<LentServer>>();
  const server = createServer(async (request, response) => {
    const kind = request.url?.slice(1) ?? '';
    const answer: LentAnswer = await lend(kind as ServerKind).then(
      ({ url }) => ({ url }),
      ({ message }: Error) => ({ reason: message }),
    );
    response.end(JSON.stringify(answer));
  });

  function lend(kind: ServerKind): Promise<LentServer> {
    const lent = asked.get(kind) ?? provide(kind);
    asked.set(kind, lent);
    return lent;
  }

  async function provide(kind: ServerKind): Promise<LentServer> {
    const url = GIVEN[kind];
    const server = url ? { url, close: async () => undefined } : await start(kind);
    await noteVersionOf(kind, server.url);
    return server;
  }

  async function start(kind: ServerKind): Promise<LentServer> {
    if (kind === 'pgbouncer') return startGuarded(kind, (await lend('postgres')).url);
    // scripts/fetch-debian.mjs has unpacked one.
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
    for (const lent of asked.values()) {
      await lent.then(
        (found) => found.close(),
        () => undefined,
      );
    }
  };
}

type LentServer = Pick<DatabaseServer, 'url' | 'close'>;

async function noteVersionOf(kind: ServerKind, url: string): Promise<void> {
  if (kind === 'pgbouncer') return noteVersion(pgbouncerVersion());
  if (kind === 'postgres') return noteVersion(`PostgreSQL ${await postgresVersion(url)}`);
  const version = await mysqlVersion(url);
  // 10.11.19-MariaDB-…, or 9.7.0-… of MySQL.
  const product = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  noteVersion(`${product} ${version.split('-')[0]}`);
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client(new URL('postgres', url).href);
  await client.connect();
  const { rows } = await client.query('SHOW server_version').finally(() => client.end());
  return String(rows[0]?.server_version).split(' ')[0] ?? '';
}

async function mysqlVersion(url: string): Promise<string> {
  const connection = await createConnection({ uri: url });
  const [rows] = await connection.query('SELECT version() AS version');
  await connection.end();
  return String((rows as { version: string }[])[0]?.version);
}

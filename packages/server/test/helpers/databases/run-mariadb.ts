// MariaDB from the programs of the distribution's packages.
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import {
  findProgram,
  giveFolder,
  keepRunning,
  type RunningServer,
  runToEnd,
  runUntilReady,
} from '../servers/server-program.ts';

// Nothing has to survive a power cut here.
const QUICK = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=16M',
];
// As Debian's package sets them; without its files the program would fall back to Latin 1.
const CHARACTERS = ['--character-set-server=utf8mb4', '--collation-server=utf8mb4_general_ci'];

export async function runMariadb(folder: string): Promise<RunningServer> {
  const server = findProgram('mariadbd');
  const data = join(folder, 'data');
  giveFolder(folder);
  await runToEnd(findProgram('mariadb-install-db'), [
    '--no-defaults',
    `--datadir=${data}`,
    '--skip-test-db',
    '--auth-root-authentication-method=normal',
    ...QUICK,
  ]);
  const port = await freePort();
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(folder, 'socket')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    ...QUICK,
    ...CHARACTERS,
    // Its own: a server that starts removes the temporary tables of all others in the same folder, and a
    // server that misses one crashes.
    `--tmpdir=${folder}`,
  ];
  const run = () => runUntilReady(server, args, 'ready for connections', 'SIGKILL');
  return keepRunning(`mysql://root@127.0.0.1:${port}/`, run);
}

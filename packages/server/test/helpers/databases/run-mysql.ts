// MySQL from unpacked packages of another release of the distribution: with its own C library, by its own loader.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=64M',
  '--innodb-redo-log-capacity=64M',
  '--disable-log-bin',
];

/** `unpacked`: the folder that has the packages' `usr`. */
export async function runMysql(folder: string, unpacked: string): Promise<RunningServer> {
  giveFolder(folder);
  const usr = copyWhereNotReached(join(unpacked, 'usr'), folder);
  const libraries = findLibraries(join(usr, 'lib'));
  const program = [
    '--library-path',
    `${libraries.folder}:${join(usr, 'lib', 'mysql', 'private')}`,
    join(usr, 'sbin', 'mysqld'),
    '--no-defaults',
    `--basedir=${usr}`,
    `--datadir=${join(folder, 'data')}`,
    ...QUICK,
  ];
  await runToEnd(libraries.loader, [...program, '--initialize-insecure']);
  const port = await freePort();
  const args = [
    ...program,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--mysqlx=OFF',
    // A folder of the installed package, which is not there.
    '--secure-file-priv=',
    `--tmpdir=${folder}`,
  ];
  const run = () => runUntilReady(libraries.loader, args, 'ready for connections', 'SIGKILL');
  return keepRunning(`mysql://root@127.0.0.1:${port}/`, run);
}

/** In the folder of the machine's architecture. */
function findLibraries(path: string) {
  for (const name of readdirSync(path)) {
    const folder = join(path, name);
    const files = /-linux-gnu/.test(name) ? readdirSync(folder) : [];
    const loader = files.find((file) => /^ld-linux.*\.so\.\d$/.test(file));
    if (loader !== undefined) return { folder, loader: join(folder, loader) };
  }
  throw new Error(`there is no C library in ${path}`);
}

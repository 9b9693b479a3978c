// moto, which speaks S3 and keeps versions, from unpacked packages of another release of the distribution.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import {
  copyWhereNotReached,
  giveFolder,
  keepRunning,
  type RunningServer,
  runUntilReady,
} from './server-program.ts';

/** `unpacked`: the folder that has the packages' `usr`. */
export async function runMoto(folder: string, unpacked: string): Promise<RunningServer> {
  giveFolder(folder);
  const usr = copyWhereNotReached(join(unpacked, 'usr'), folder);
  const libraries = readdirSync(join(usr, 'lib')).find((name) => /-linux-gnu/.test(name)) ?? '';
  const inside = join(usr, 'lib', libraries);
  const loader = readdirSync(inside).find((file) => /^ld-linux.*\.so\.\d$/.test(file)) ?? '';
  const python = readdirSync(join(usr, 'bin')).find((name) => /^python3\.\d+$/.test(name)) ?? '';
  const port = await freePort();
  const args = [
    `PYTHONHOME=${usr}`,
    `PYTHONPATH=${join(usr, 'lib', 'python3', 'dist-packages')}`,
    'PYTHONDONTWRITEBYTECODE=1',
    join(inside, loader),
    '--library-path',
    inside,
    join(usr, 'bin', python),
    '-m',
    'moto.server',
    '-H',
    '127.0.0.1',
    '-p',
    String(port),
  ];
  const run = () => runUntilReady('env', args, 'Running on', 'SIGKILL');
  return keepRunning(`http://127.0.0.1:${port}`, run);
}

// What tests need that neither npm nor this machine's release of the distribution has: its packages and all that they need,
// the C library included, are unpacked from Debian's unstable release into a folder of their own; nothing is installed on
// the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';
import { isThere } from './test-parts.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** For tests of the mysql connector: no npm package brings it. */
export const fetchMysql = () => fetchFromUnstable('mysql', ['mysql-server-core']);

/** For tests of the s3 connector: moto, a server that keeps versions, with the Python that it is for. */
export const fetchS3 = () =>
  fetchFromUnstable('s3', ['python3-moto', 'python3-flask', 'python3-flask-cors']);

/** For the checks of deploy/: each is one program, which runs on an older C library too. */
export const fetchDeployTools = () =>
  fetchFromUnstable('deploy-tools', [
    'caddy',
    'cosign',
    'docker-compose',
    'kustomize',
    'prometheus',
  ]);

/** The folder with the unpacked packages, or why there is none. */
function fetchFromUnstable(name, packages) {
  const folder = join(ROOT, 'node_modules', '.cache', `${name}-${process.arch}`);
  if (existsSync(folder)) return { path: folder };
  if (!existsSync(KEYRING) || !['apt-get', 'dpkg'].every(isThere))
    return { reason: 'Debian’s apt-get is not here' };
  const mirror = findMirror();
  if (mirror === undefined) return { reason: 'apt has no mirror of Debian' };
  console.log(`Set-up: downloading ${packages.join(', ')} from Debian’s unstable release …`);
  const work = `${folder}-apt`;
  rmSync(work, { recursive: true, force: true });
  for (const path of ['state/lists/partial', 'cache/archives/partial', 'unpacked'])
    mkdirSync(join(work, path), { recursive: true });
  // As if nothing were installed: everything that they need is downloaded with them.
  writeFileSync(join(work, 'status'), '');
  writeFileSync(join(work, 'sources.list'), `deb [signed-by=${KEYRING}] ${mirror} unstable main\n`);
  const fetched =
    aptGet(work, 'update') &&
    aptGet(work, '-y', '--download-only', '--no-install-recommends', 'install', ...packages);
  const archives = join(work, 'cache', 'archives');
  const files = readdirSync(archives).filter((file) => file.endsWith('.deb'));
  const unpack = (file) => run('dpkg', ['-x', join(archives, file), join(work, 'unpacked')]);
  if (!fetched || files.length === 0 || !files.every(unpack))
    return { reason: 'it could not be downloaded from Debian’s unstable release' };
  renameSync(join(work, 'unpacked'), folder);
  rmSync(work, { recursive: true });
  return { path: folder };
}

/** The mirror of Debian itself, without its security updates, that this machine uses. */
function findMirror() {
  const { stdout } = spawnSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], {
    encoding: 'utf8',
  });
  return stdout?.split('\n').find((uri) => /\/debian\/?$/.test(uri));
}

function aptGet(work, ...args) {
  const settings = {
    'Dir::State': join(work, 'state'),
    'Dir::State::status': join(work, 'status'),
    'Dir::Cache': join(work, 'cache'),
    'Dir::Etc::sourcelist': join(work, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Acquire::Languages': 'none',
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return run('apt-get', ['-qq', ...options, ...args]);
}

function run(program, args) {
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  });
  return status === 0;
}

// MySQL for tests of the mysql connector. No npm package brings it, and of Debian's releases only unstable has it, so its
// packages and all that they need, the C library included, are unpacked into a folder of their own; nothing is
// installed on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';
import { isThere } from './test-parts.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const FOLDER = join(ROOT, 'node_modules', '.cache', `mysql-${process.arch}`);

/** The folder with the unpacked packages, or why there is none. */
export function fetchMysql() {
  if (existsSync(FOLDER)) return { path: FOLDER };
  if (!existsSync(KEYRING) || !['apt-get', 'dpkg'].every(isThere))
    return { reason: 'Debian’s apt-get is not here; name a server in UNWRITE_TEST_MYSQL_URL' };
  const mirror = findMirror();
  if (mirror === undefined) return { reason: 'apt has no mirror of Debian' };
  console.log('Set-up: downloading MySQL from Debian’s unstable release …');
  const work = `${FOLDER}-apt`;
  rmSync(work, { recursive: true, force: true });
  for (const path of ['state/lists/partial', 'cache/archives/partial', 'unpacked'])
    mkdirSync(join(work, path), { recursive: true });
  // As if nothing were installed: everything that MySQL needs is downloaded with it.
  writeFileSync(join(work, 'status'), '');
  writeFileSync(join(work, 'sources.list'), `deb [signed-by=${KEYRING}] ${mirror} unstable main\n`);
  const fetched =
    aptGet(work, 'update') &&
    aptGet(
      work,
      '-y',
      '--download-only',
      '--no-install-recommends',
      'install',
      'mysql-server-core',
    );
  const archives = join(work, 'cache', 'archives');
  const packages = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  const unpack = (file) => run('dpkg', ['-x', join(archives, file), join(work, 'unpacked')]);
  if (!fetched || packages.length === 0 || !packages.every(unpack))
    return { reason: 'it could not be downloaded from Debian’s unstable release' };
  renameSync(join(work, 'unpacked'), FOLDER);
  rmSync(work, { recursive: true });
  return { path: FOLDER };
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

// MySQL for tests of the mysql connector. No npm package brings it, and of Debian's releases only unstable has it, so its
// packages and all that they need, the C library included, are unpacked into a folder of their own; nothing is
// installed on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThere } from './apt-get.mjs';
import { fail, ROOT } from './run.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const SOURCE = `deb [signed-by=${KEYRING}] http://deb.debian.org/debian unstable main\n`;
const FOLDER = join(ROOT, 'node_modules', '.cache', `mysql-${process.arch}`);

/** The folder with the unpacked packages. */
export function fetchMysql() {
  if (existsSync(FOLDER)) return FOLDER;
  if (!existsSync(KEYRING) || !['apt-get', 'dpkg'].every(isThere)) {
    fail('without Debian’s apt-get, give the URL of a MySQL server in UNWRITE_TEST_MYSQL_URL');
  }
  console.log('Set-up: downloading MySQL from Debian’s unstable release …');
  const work = `${FOLDER}-apt`;
  rmSync(work, { recursive: true, force: true });
  for (const path of ['state/lists/partial', 'cache/archives/partial', 'unpacked'])
    mkdirSync(join(work, path), { recursive: true });
  // As if nothing were installed: everything that MySQL needs is downloaded with it.
  writeFileSync(join(work, 'status'), '');
  writeFileSync(join(work, 'sources.list'), SOURCE);
  aptGet(work, 'update');
  aptGet(work, '-y', '--download-only', '--no-install-recommends', 'install', 'mysql-server-core');
  const archives = join(work, 'cache', 'archives');
  for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb')))
    run('dpkg', ['-x', join(archives, file), join(work, 'unpacked')]);
  renameSync(join(work, 'unpacked'), FOLDER);
  rmSync(work, { recursive: true });
  return FOLDER;
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
  run('apt-get', ['-qq', ...options, ...args]);
}

function run(program, args) {
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  });
  if (status !== 0) fail(`${program} failed; what it printed above says why.`, 1);
}

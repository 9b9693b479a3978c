// The tests of the mysql connector want a real MariaDB server, and no npm package brings one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Not mariadb-server: that one also sets up and starts a service, which nobody here needs.
const PACKAGES = ['mariadb-server-core', 'mariadb-client-core'];
const PROGRAMS = ['mariadbd', 'mariadb-install-db'];

function isThere(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}

function aptGet(...args) {
  const { status } = spawnSync('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  });
  return status === 0;
}

/** Where it cannot be had, the tests that need it are skipped, and the run says so at its end. */
export function installMariadb() {
  if (process.env.UNWRITE_TEST_MYSQL_URL || PROGRAMS.every(isThere)) return;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version') || !isThere('apt-get')) return;
  console.log(`Installing ${PACKAGES.join(' and ')} with apt-get: tests need a MariaDB server …`);
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...PACKAGES);
  // Lists of packages are missing on most containers, and elsewhere may be stale.
  if (!(aptGet('update') && install())) console.log('That failed; going on without it.');
}

// The servers and the browser that tests need and no npm package brings: installed from the distribution where that
// is possible. Where it is not, the tests that need one are left out, and the end of the run says which.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `variable`: names a server or a program of one's own in its place. */
const PARTS = [
  {
    variable: 'UNWRITE_TEST_MYSQL_URL',
    isThere: () => ['mariadbd', 'mariadb-install-db'].every(isThere),
    // Not mariadb-server: that one also sets up and starts a service.
    packages: ['mariadb-server-core', 'mariadb-client-core'],
  },
  {
    variable: 'UNWRITE_TEST_PGBOUNCER',
    // Its package has no part without the service, and systemd would start that.
    isThere: () => isThere('pgbouncer') || existsSync('/run/systemd/system'),
    packages: ['pgbouncer'],
  },
  {
    variable: 'UNWRITE_TEST_CHROMIUM',
    isThere: () => ['chromium', 'chromium-browser', 'google-chrome'].some(isThere),
    packages: ['chromium'],
  },
];

/** For the checks of deploy/ alone. */
const DEPLOY_PARTS = ['buildah', 'bwrap', 'mmdebstrap'].map((program) => ({
  isThere: () => isThere(program),
  packages: [program === 'bwrap' ? 'bubblewrap' : program],
}));

export const installDeployParts = () => installMissing(DEPLOY_PARTS);

export const installParts = () => installMissing(PARTS);

export function isThere(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}

function installMissing(parts) {
  const missing = parts.filter((part) => !process.env[part.variable] && !part.isThere());
  if (missing.length === 0 || !canInstall()) return;
  const packages = missing.flatMap((part) => part.packages);
  console.log(`Set-up: installing ${packages.join(', ')} with apt-get, because tests need them …`);
  // Lists of packages are missing on most containers, and elsewhere may be stale.
  aptGet('update');
  if (aptGet('install', '-y', '--no-install-recommends', ...packages)) return;
  // One of them may not be to be had; that is no reason to do without the others.
  for (const part of missing) aptGet('install', '-y', '--no-install-recommends', ...part.packages);
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && isThere('apt-get');
}

function aptGet(...args) {
  const { status } = spawnSync('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // A package that brings a service too does not start it on this run level.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    timeout: 300_000,
  });
  return status === 0;
}

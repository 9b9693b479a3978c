// Debian's packages, for servers that tests want and no npm package brings.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isThere(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}

export function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && isThere('apt-get');
}

/** Where they cannot be had, the tests that need them are skipped, and the run says so at its end. */
export function installPackages(packages, why) {
  console.log(`Set-up: installing ${packages.join(' and ')} with apt-get, because ${why} …`);
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...packages);
  // Lists of packages are missing on most containers, and elsewhere may be stale.
  if (!(aptGet('update') && install())) console.log('That failed; going on without it.');
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

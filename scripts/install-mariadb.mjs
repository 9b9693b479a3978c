// The tests of the mysql connector want a real MariaDB server, and no npm package brings one.
import { canInstall, installPackages, isThere } from './apt-get.mjs';

// Not mariadb-server: that one also sets up and starts a service, which the tests do not need.
const PACKAGES = ['mariadb-server-core', 'mariadb-client-core'];
const PROGRAMS = ['mariadbd', 'mariadb-install-db'];

export function installMariadb() {
  if (process.env.UNWRITE_TEST_MYSQL_URL || PROGRAMS.every(isThere) || !canInstall()) return;
  installPackages(PACKAGES, 'tests need a MariaDB server');
}

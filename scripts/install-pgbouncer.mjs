// A store on PostgreSQL is tested behind a real PgBouncer, too.
import { existsSync } from 'node:fs';
import { canInstall, installPackages, isThere } from './apt-get.mjs';

export function installPgbouncer() {
  if (process.env.UNWRITE_TEST_PGBOUNCER || isThere('pgbouncer') || !canInstall()) return;
  // Its package has no part without the service, and systemd would start that.
  if (existsSync('/run/systemd/system')) return;
  installPackages(['pgbouncer'], 'tests of a shared store need one');
}

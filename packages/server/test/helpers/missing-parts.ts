// Parts that tests need and this machine does not have. The end of the run says how many tests that left out.
import { expect } from 'vitest';
import { note } from './run-notes.ts';

const IN_THE_SUITE = 'put it on the PATH, or run npm run test:long -- deploy on Debian';
const REMEDIES = {
  PostgreSQL: 'name a server in UNWRITE_TEST_POSTGRES_URL',
  MariaDB:
    'install mariadb-server (on Debian mariadb-server-core and mariadb-client-core are enough), or name a server in UNWRITE_TEST_MYSQL_URL',
  MySQL: 'name a server in UNWRITE_TEST_MYSQL_URL',
  PgBouncer: 'install pgbouncer, or name the program in UNWRITE_TEST_PGBOUNCER',
  promtool: IN_THE_SUITE,
  Chromium: 'install chromium or Chrome, or name the program in UNWRITE_TEST_CHROMIUM',
  buildah: 'install buildah, mmdebstrap and bubblewrap, and be root',
  caddy: IN_THE_SUITE,
  cosign: IN_THE_SUITE,
  'docker-compose': IN_THE_SUITE,
  kustomize: IN_THE_SUITE,
  systemd: 'install systemd, for systemd-analyze',
};
export type Part = keyof typeof REMEDIES;

/** For the file whose tests are being defined: those of them that are skipped are counted. */
export function noteMissing(part: Part, reason?: string): void {
  note({ part, reason, remedy: REMEDIES[part], file: expect.getState().testPath });
}

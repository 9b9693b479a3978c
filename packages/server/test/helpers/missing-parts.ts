// Parts that tests need and this machine does not have. The end of the run says how many tests that left out.
import { expect } from 'vitest';
import { note } from './run-notes.ts';

const REMEDIES = {
  PostgreSQL:
    'run npm install with its optional packages, or name a server in UNWRITE_TEST_POSTGRES_URL',
  MariaDB:
    'install mariadb-server (on Debian mariadb-server-core and mariadb-client-core are enough), or name a server in UNWRITE_TEST_MYSQL_URL',
  PgBouncer: 'install pgbouncer, or name the program in UNWRITE_TEST_PGBOUNCER',
  promtool: 'install prometheus',
  Chromium: 'install chromium or Chrome, or name the program in UNWRITE_TEST_CHROMIUM',
};
export type Part = keyof typeof REMEDIES;

/** For the file whose tests are being defined: those of them that are skipped are counted. */
export function noteMissing(part: Part): void {
  note({ part, remedy: REMEDIES[part], file: expect.getState().testPath });
}

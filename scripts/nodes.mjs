// npm run test:nodes: what several nodes on one PostgreSQL do to each other, quick tests and long ones: taking over
// from workers that die, looking for leaks, moving a store there.
import { installMariadb } from './install-mariadb.mjs';
import { installPgbouncer } from './install-pgbouncer.mjs';
import { commandFile, install, runNode } from './run.mjs';

const FOLDER = 'packages/server/test';

install();
installMariadb();
installPgbouncer();
const tests = [
  'nodes',
  'queue',
  'store/postgres',
  'store/copy',
  'e2e/leaks-postgres',
  'cli/store/copy',
];
const files = tests.map((test) => `${FOLDER}/${test}`);
process.exit(runNode([commandFile('vitest'), 'run', ...files]) ? 0 : 1);

// npm test: set-up, the checks, then all tests. Arguments go to vitest and skip the checks:
// npm test -- packages/protocol
import { installMariadb } from './install-mariadb.mjs';
import { installPgbouncer } from './install-pgbouncer.mjs';
import { commandFile, install, runNode } from './run.mjs';

install();
const args = process.argv.slice(2);
const checked = args.length > 0 || runNode(['scripts/check.mjs']);
if (checked) {
  installMariadb();
  installPgbouncer();
}
const passed = checked && runNode([commandFile('vitest'), 'run', ...args]);
process.exit(passed ? 0 : 1);

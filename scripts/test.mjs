// npm test: set-up, the checks, then all tests but the long ones. Arguments go to vitest and skip the checks:
// npm test -- packages/protocol
import { buildConsole } from './build-console.mjs';
import { installChromium } from './install-chromium.mjs';
import { installMariadb } from './install-mariadb.mjs';
import { installPgbouncer } from './install-pgbouncer.mjs';
import { commandFile, install, runNode } from './run.mjs';
import { meansLongTests, WHOLE_RUN, WITHOUT_LONG } from './test-files.mjs';

install();
const args = process.argv.slice(2);
const checked = args.length > 0 || runNode(['scripts/check.mjs']);
if (!checked) process.exit(1);
installMariadb();
installPgbouncer();
installChromium();
buildConsole();
const which = meansLongTests(args) ? [] : WITHOUT_LONG;
const report = args.length > 0 ? [] : WHOLE_RUN;
process.exit(runNode([commandFile('vitest'), 'run', ...which, ...report, ...args]) ? 0 : 1);

// npm run bench [-- --rounds N --seconds N --connections N --stored N --only http|signatures|erase|burst|fairness]
import { install, runNode } from './run.mjs';

install();
process.exit(runNode(['bench/run.ts', ...process.argv.slice(2)]) ? 0 : 1);

// npm run demo: erases a few hundred people from a sample shop, and shows the evidence.
import { install, runNode } from './run.mjs';

install();
process.exit(runNode(['demo/run.ts', ...process.argv.slice(2)]) ? 0 : 1);

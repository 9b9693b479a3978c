// npm run demo: erases a few hundred people from a sample shop, and shows the evidence.
import { join } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { becomeNode, install, ROOT } from './run.mjs';

install();
buildConsole();
process.chdir(ROOT);
becomeNode([join(ROOT, 'demo/run.ts'), ...process.argv.slice(2)]);

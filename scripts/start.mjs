// npm start: installs what is missing, then serves from this folder, with a demo controller on an
// empty store. Flags go through: npm start -- --port 9000
import { join } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { becomeNode, install, ROOT } from './run.mjs';

install();
buildConsole();
becomeNode([
  join(ROOT, 'packages/server/bin/unwrite.js'),
  'serve',
  '--demo',
  ...process.argv.slice(2),
]);

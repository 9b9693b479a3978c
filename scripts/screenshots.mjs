// node scripts/screenshots.mjs [-- folder]: every page of the console, wide and narrow, light and dark, over data of every
// state. Into screenshots/ where no folder is given.
import { resolve } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { install, ROOT, runNode } from './run.mjs';
import { installParts } from './test-parts.mjs';

install();
installParts();
buildConsole();
const folder = resolve(process.argv[2] ?? `${ROOT}/screenshots`);
process.exit(runNode(['demo/screenshots.ts', folder]) ? 0 : 1);

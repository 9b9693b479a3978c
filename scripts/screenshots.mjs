// node scripts/screenshots.mjs [folder]: every page of the console, wide and narrow, light and dark, over data of every
// state. Into screenshots/ where no folder is given.
import { resolve } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { fail, install, ROOT, runNode } from './run.mjs';
import { installParts } from './test-parts.mjs';

const given = process.argv[2] ?? `${ROOT}/screenshots`;
if (given.startsWith('-')) fail('give the folder of the pictures, or nothing: screenshots/');
install();
installParts();
buildConsole();
process.exit(runNode(['demo/screenshots.ts', resolve(given)]) ? 0 : 1);

// That `npm ci` works from this lock file on every platform that we support, and that nothing which production
// needs runs a script when it is installed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installScriptProblems } from './lock-graph.mjs';
import { lockProblems } from './lock-problems.mjs';
import { ROOT } from './run.mjs';

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const problems = [...lockProblems(lock), ...installScriptProblems(lock)];
for (const problem of problems) console.error(`  ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);

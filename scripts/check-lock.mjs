// That `npm ci` works from this lock file on every platform that we support.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockProblems } from './lock-problems.mjs';
import { ROOT } from './run.mjs';

const problems = lockProblems(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
for (const problem of problems) console.error(`  ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);

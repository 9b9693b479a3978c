// npm run check: format and lint, types, import direction and circles, unused code, the lock file. They run
// concurrently; the output of those that failed is shown in this order.
import { commandFile, install, runNodeBeside } from './run.mjs';

install();
// Its output is captured and printed later, so biome cannot know whether that is a terminal.
const COLORS = process.stdout.isTTY ? '--colors=force' : '--colors=off';
const started = performance.now();
const steps = [
  [
    'format and lint',
    [commandFile('@biomejs/biome', 'biome'), 'ci', '--error-on-warnings', COLORS, '.'],
  ],
  ['types', [commandFile('typescript', 'tsc'), '-p', 'tsconfig.json']],
  ['types of the console', [commandFile('typescript', 'tsc'), '-p', 'packages/console']],
  ['imports', ['scripts/check-imports.mjs']],
  ['unused code', [commandFile('knip')]],
  ['lock file', ['scripts/check-lock.mjs']],
].map(([name, args]) => ({ name, run: runNodeBeside(args) }));

let failures = 0;
for (const { name, run } of steps) {
  const { passed, output } = await run;
  console.log(`Check: ${name} ${passed ? 'passed' : 'FAILED'}`);
  if (passed) continue;
  failures += 1;
  console.error(output);
}
if (failures > 0) console.error(`${failures} of ${steps.length} checks failed; see above.`);
else console.log(`All checks passed in ${Math.round((performance.now() - started) / 1000)} s.`);
process.exit(failures > 0 ? 1 : 0);

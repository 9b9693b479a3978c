// npm run check: format and lint, types, import direction and circles, unused code.
import { commandFile, install, runNode } from './run.mjs';

install();
const steps = [
  ['format and lint', [commandFile('@biomejs/biome', 'biome'), 'ci', '--error-on-warnings', '.']],
  ['types', [commandFile('typescript', 'tsc'), '-p', 'tsconfig.json']],
  ['imports', ['scripts/check-imports.mjs']],
  ['unused code', [commandFile('knip')]],
];
const failed = steps.filter(([name, args]) => {
  console.log(`check: ${name}`);
  return !runNode(args);
});
for (const [name] of failed) console.error(`check failed: ${name}`);
process.exit(failed.length > 0 ? 1 : 0);

// The types of `unwrite/module`, for operators who write a module: what tsc writes, in dist/types/, as a package has them
// that needs no other one of ours.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { commandFile, fail, nodeBinary, ROOT } from './run.mjs';

const PACKAGE = join(ROOT, 'packages/server');
const TYPES = join(PACKAGE, 'dist/types');
const PROTOCOL = join(TYPES, 'protocol/src/index.js');

export const MODULE_TYPES = './dist/types/server/src/connectors/module/module-types.d.ts';

export function writeModuleTypes() {
  const args = [commandFile('typescript', 'tsc'), '-p', 'tsconfig.build.json'];
  const { status } = spawnSync(nodeBinary(), args, { cwd: PACKAGE, stdio: 'inherit' });
  if (status !== 0) fail('the types of unwrite/module could not be written; see above.', 1);
  for (const file of globSync('**/*.d.ts', { cwd: TYPES })) {
    const path = join(TYPES, file);
    const protocol = relative(dirname(path), PROTOCOL).replaceAll(sep, '/');
    const text = readFileSync(path, 'utf8').replace(/\.ts'/g, ".js'");
    writeFileSync(path, text.replaceAll("'@unwrite/protocol'", `'${protocol}'`));
  }
}

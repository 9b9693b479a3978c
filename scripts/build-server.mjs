// prepack of packages/server: everything that runs, in dist/. Type stripping does not work inside node_modules, and
// joined, minified modules start in half the time. What the server needs of other packages is built in, so that the
// package has no dependencies: one file installs it, also where there is no registry.
// node scripts/build-server.mjs --restore (postpack): package.json as it was.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { bundleServer, MODULES } from './bundle-server.mjs';
import { collectLicenses } from './collect-licenses.mjs';
import { bundledGraph } from './lock-graph.mjs';
import { changeManifest, restoreManifest } from './manifest-for-packing.mjs';
import { MODULE_TYPES, writeModuleTypes } from './module-types.mjs';
import { ROOT } from './run.mjs';

const PACKAGE = join(ROOT, 'packages/server');
/** Messages name these pages, which name these files, and an installation may have no network to read them elsewhere. */
const HANDBOOK = ['docs', 'deploy', 'examples', 'CHANGELOG.md', 'SECURITY.md'];
const DIST = join(PACKAGE, 'dist');
if (process.argv.includes('--restore')) restoreManifest(PACKAGE);
else await build();

async function build() {
  restoreManifest(PACKAGE);
  for (const made of [DIST, ...HANDBOOK.map((name) => join(PACKAGE, name))])
    rmSync(made, { recursive: true, force: true });
  buildConsole();
  const modules = await writeModules();
  writeModuleTypes();
  const folders = [...modules.flatMap(packageAround), ...foldersOfConsole()];
  writeFileSync(join(PACKAGE, 'THIRD-PARTY-LICENSES.txt'), collectLicenses(folders));
  cpSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
  for (const name of HANDBOOK)
    cpSync(join(ROOT, name), join(PACKAGE, name), {
      recursive: true,
      filter: (path) => !path.endsWith('docs/images'),
    });
  changeManifest(PACKAGE, packed);
}

/** Answers the paths of all modules that are built in. */
async function writeModules() {
  const output = await bundleServer(DIST, { minify: true });
  mkdirSync(join(DIST, MODULES));
  for (const { fileName, code } of output) writeFileSync(join(DIST, MODULES, fileName), code);
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/** The folder of the package that a module is in; none for our own. */
function packageAround(path) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(path) ?? [];
}

/** vite built them in. */
function foldersOfConsole() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const paths = [...bundledGraph(lock).keys()].filter((path) => path.includes('node_modules/'));
  return paths.map((path) => join(ROOT, path)).filter((path) => existsSync(path));
}

function packed({ scripts: _, dependencies: __, exports, ...rest }) {
  return { ...rest, exports: { ...exports, './module': { types: MODULE_TYPES } } };
}

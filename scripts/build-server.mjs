// prepack of packages/server: everything that runs, in dist/. Type stripping does not work inside node_modules, and
// joined, minified modules start in half the time. What the server needs of other packages is built in, so that the
// package has no dependencies: one file installs it, also where there is no registry.
// node scripts/build-server.mjs --restore (postpack): package.json as it was.
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { collectLicenses } from './collect-licenses.mjs';
import { bundledGraph } from './lock-graph.mjs';
import { changeManifest, restoreManifest } from './manifest-for-packing.mjs';
import { MODULE_TYPES, writeModuleTypes } from './module-types.mjs';
import { ROOT } from './run.mjs';

const PACKAGE = join(ROOT, 'packages/server');
const DIST = join(PACKAGE, 'dist');
/** All modules are in this one folder: they find each other, and the package, by src/files/own-files.ts. */
const MODULES = join(DIST, 'server');
/** What a process or a thread starts with. */
const ENTRIES = [
  'main',
  'app/writer',
  'app/worker',
  'store/sqlite/checkpoint-thread',
  'connectors/sqlite/sqlite-process',
  'connectors/module/module-process',
  'connectors/module/module-watchdog',
];
/** Of packages that read files of their own: they are copied to dist/, and found from there. */
const WITH_FILES = { '@fastify/swagger-ui': { folder: 'swagger-ui', files: 'static' } };

if (process.argv.includes('--restore')) restoreManifest(PACKAGE);
else await build();

async function build() {
  restoreManifest(PACKAGE);
  for (const made of [DIST, join(PACKAGE, 'docs')]) rmSync(made, { recursive: true, force: true });
  buildConsole();
  const modules = await bundle();
  for (const [name, { folder, files }] of Object.entries(WITH_FILES))
    cpSync(join(ROOT, 'node_modules', name, files), join(DIST, folder, files), { recursive: true });
  writeModuleTypes();
  const folders = [...modules.flatMap(packageAround), ...foldersOfConsole()];
  writeFileSync(join(PACKAGE, 'THIRD-PARTY-LICENSES.txt'), collectLicenses(folders));
  cpSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
  // Messages name these pages, and an installation may have no network to read them elsewhere.
  for (const page of globSync('docs/*.md', { cwd: ROOT }))
    cpSync(join(ROOT, page), join(PACKAGE, page));
  changeManifest(PACKAGE, packed);
}

/** The paths of all modules that are built in. */
async function bundle() {
  const { rolldown } = await import('rolldown');
  const input = await rolldown({
    input: Object.fromEntries(
      ENTRIES.map((path) => [path.split('/').at(-1), join(PACKAGE, 'src', `${path}.ts`)]),
    ),
    platform: 'node',
    // An addon that pg takes where it is installed.
    external: [/^node:/, 'pg-native'],
    transform: { define: { __dirname: 'import.meta.dirname' } },
    plugins: [{ name: 'files-of-packages', transform: findFiles }],
  });
  const { output } = await input.write({
    dir: MODULES,
    format: 'esm',
    minify: true,
    comments: { legal: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await input.close();
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/** Where these packages, and we, look for their files. */
function findFiles(code, id) {
  for (const [name, { folder }] of Object.entries(WITH_FILES)) {
    const home = join(ROOT, 'node_modules', name);
    const asked = `import.meta.resolve('${name}')`;
    if (code.includes(asked))
      return code.replace(asked, `new URL('../${folder}/index.js', import.meta.url).href`);
    if (!id.startsWith(home + sep)) continue;
    const inside = relative(home, dirname(id)).replaceAll(sep, '/');
    return code.replaceAll('__dirname', `(import.meta.dirname + '/../${folder}/${inside}')`);
  }
  return null;
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

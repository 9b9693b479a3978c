// prepack of packages/client and packages/opendsr: JavaScript and types in dist/. tsc checks and writes types
// (join-types.mjs joins them), rolldown joins the modules and drops what is not used. In the repository these packages run from src/, since Node strips types
// there; inside node_modules it does not, so package.json is changed for the time of packing, and changed back by
// --restore (postpack).
//
// The sources of our other packages are built in: what is published needs no package of ours that is not.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { joinTypes } from './join-types.mjs';
import { changeManifest, restoreManifest } from './manifest-for-packing.mjs';

const PACKAGE = process.cwd();
const PACKAGES = dirname(PACKAGE);
const NAME = relative(PACKAGES, PACKAGE);
const DIST = join(PACKAGE, 'dist');
const TYPES = join(PACKAGE, 'dist-types');
const MANIFEST = join(PACKAGE, 'package.json');
/** Where the types of our packages are, below the folder that tsc writes. */
const BUILT_IN = { '@unwrite/protocol': 'protocol/src/index' };

if (process.argv.includes('--restore')) restoreManifest(PACKAGE);
else await build();

async function build() {
  restoreManifest(PACKAGE);
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const entries = entriesOf(manifest);
  for (const folder of [DIST, TYPES]) rmSync(folder, { recursive: true, force: true });
  await bundle(entries, Object.keys(manifest.dependencies ?? {}));
  const typed = Object.keys(entriesOf({ exports: manifest.exports }));
  if (typed.length > 0) {
    compile();
    writeTypes(typed);
    rmSync(TYPES, { recursive: true });
  }
  changeManifest(PACKAGE, packed);
}

/** `./src/index.ts` as `index`. */
function entriesOf({ exports = {}, bin = {} }) {
  const sources = [...Object.values(exports), ...Object.values(bin)];
  const names = sources.flatMap((it) => /^\.\/src\/(.+)\.ts$/.exec(it)?.[1] ?? []);
  return Object.fromEntries(names.map((name) => [name, join(PACKAGE, 'src', `${name}.ts`)]));
}

function compile() {
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  const args = [join(dirname(tsc), 'bin', 'tsc'), '-p', 'tsconfig.build.json'];
  const { status } = spawnSync(process.execPath, args, { cwd: PACKAGE, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function bundle(entries, dependencies) {
  const { rolldown } = await import('rolldown');
  const input = await rolldown({
    input: entries,
    external: [/^node:/, ...dependencies],
    platform: 'neutral',
  });
  await input.write({
    dir: DIST,
    format: 'esm',
    minify: true,
    comments: { legal: false },
    entryFileNames: '[name].js',
    chunkFileNames: 'shared.js',
  });
  await input.close();
}

/** The first entry has what others share with it: they import it from there. */
function writeTypes([first, ...others]) {
  const main = joinTypes(TYPES, `${NAME}/src/${first}`, BUILT_IN);
  writeFileSync(join(DIST, `${first}.d.ts`), main.text);
  const elsewhere = { names: main.names, from: `./${first}.js` };
  for (const other of others) {
    const { text } = joinTypes(TYPES, `${NAME}/src/${other}`, BUILT_IN, elsewhere);
    writeFileSync(join(DIST, `${other}.d.ts`), text);
  }
}

function packed({ exports, bin, scripts: _, devDependencies: __, ...rest }) {
  const built = (source) => source.replace(/^\.\/src\/(.+)\.ts$/, './dist/$1');
  const commands = Object.entries(bin ?? {}).map(([name, source]) => [name, `${built(source)}.js`]);
  const shown = Object.entries(exports).map(([path, source]) => [
    path,
    source.endsWith('.ts')
      ? { types: `${built(source)}.d.ts`, default: `${built(source)}.js` }
      : source,
  ]);
  const withBin = bin === undefined ? {} : { bin: Object.fromEntries(commands) };
  return { ...rest, ...withBin, exports: Object.fromEntries(shown) };
}

// Vitest's global set-up: bundles the server and opendsr for threads and processes that tests start. To strip types, to find and to
// load hundreds of modules is most of the processor time of one, and tests start hundreds.
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleServer, ENTRIES, MODULES, nameOfEntry } from './bundle-server.mjs';
import { ROOT } from './run.mjs';

const SERVER = join(ROOT, 'packages/server');
// Below the server, so that packages are found from there.
const FOLDER = join(SERVER, '.cache', 'package');
const DIST = join(FOLDER, 'dist');
/** src/ and dist/ are at the same depth: each finds its package.json. */
const OPENDSR = join(ROOT, 'packages/opendsr');
const OPENDSR_MAIN = join(OPENDSR, '.cache/package/dist/main.js');
const fileOf = (entry) => join(DIST, MODULES, `${nameOfEntry(entry)}.js`);

export default async function bundleForTests(project) {
  await bundle();
  // With npx vitest, after a change.
  project.onTestsRerun(bundle);
  const threads = ENTRIES.filter((entry) => entry !== 'main').map((entry) => [
    join(SERVER, 'src', `${entry}.ts`),
    fileOf(entry),
  ]);
  const bin = [join(SERVER, 'bin', 'unwrite.js'), join(FOLDER, 'bin', 'unwrite.js')];
  const opendsr = [join(OPENDSR, 'src', 'main.ts'), OPENDSR_MAIN];
  project.provide('bundledEntries', Object.fromEntries([...threads, bin, opendsr]));
}

async function bundle() {
  await bundleOpendsr();
  // Each alone, in few files: joined together, each part that some of them share is a file of its own, and to find and
  // load hundreds of files takes as long as what is in them.
  for (const entry of ENTRIES) {
    const output = await bundleServer(DIST, { entries: [entry], minify: false });
    for (const file of output)
      if (file.type === 'chunk') write(join(DIST, MODULES, file.fileName), file.code);
  }
  for (const name of ['migrations', 'console', 'recipes'])
    cpSync(join(SERVER, name), join(FOLDER, name), { recursive: true });
  for (const name of ['package.json', 'bin/start.js'])
    write(join(FOLDER, name), readFileSync(join(SERVER, name), 'utf8'));
  // Not in the user's own folder, where an installed one would have it.
  const cache = JSON.stringify(join(SERVER, '.cache'));
  const next = JSON.stringify('./start.js');
  const start = `process.env.NODE_COMPILE_CACHE ??= ${cache};\nawait import(${next});\n`;
  write(join(FOLDER, 'bin/unwrite.js'), start);
}

async function bundleOpendsr() {
  const input = await rolldown({
    input: join(OPENDSR, 'src', 'main.ts'),
    platform: 'node',
    external: [/^node:/],
  });
  const { output } = await input.generate({ format: 'esm', codeSplitting: false });
  await input.close();
  write(OPENDSR_MAIN, output[0].code);
  const manifest = 'package.json';
  write(join(dirname(OPENDSR_MAIN), '..', manifest), readFileSync(join(OPENDSR, manifest), 'utf8'));
}

/** Another run may use it at the same time. */
function write(path, text) {
  if (read(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

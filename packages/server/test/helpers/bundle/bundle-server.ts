// Vitest's global set-up: joins the server's modules as a package has them (scripts/build-server.mjs), without those of
// other packages. To strip types, to find and to load hundreds of modules is most of the processor time of a thread or
// process that a test starts, and tests start hundreds.
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** By the path of what a thread or process starts with, that of the file to run in its place. */
    readonly bundledEntries: Record<string, string>;
  }
}

const SERVER = fileURLToPath(new URL('../../..', import.meta.url));
// Below the server, so that packages are found from there.
const FOLDER = join(SERVER, '.cache', 'package');
const MODULES = join(FOLDER, 'dist', 'server');
const MAIN = 'main.ts';
const ENTRIES = [
  MAIN,
  'app/worker.ts',
  'app/writer.ts',
  'store/sqlite/checkpoint-thread.ts',
  'connectors/sqlite/sqlite-process.ts',
  'connectors/module/module-process.ts',
  'connectors/module/module-watchdog.ts',
];
const nameOf = (entry: string) => basename(entry, '.ts');

export default async function bundleServer(project: TestProject): Promise<void> {
  await bundle();
  // With npx vitest, after a change.
  project.onTestsRerun(bundle);
  const threads = ENTRIES.filter((entry) => entry !== MAIN).map((entry) => [
    join(SERVER, 'src', entry),
    join(MODULES, `${nameOf(entry)}.js`),
  ]);
  const bin = [join(SERVER, 'bin', 'unwrite.js'), join(FOLDER, 'bin', 'unwrite.js')];
  project.provide('bundledEntries', Object.fromEntries([...threads, bin]));
}

async function bundle(): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [nameOf(entry), join(SERVER, 'src', entry)])),
    cwd: SERVER,
    platform: 'node',
    logLevel: 'silent',
    // Of others' packages, which are loaded as they are.
    external: (id) => !/^(\.|\/|[A-Za-z]:|@unwrite\/)/.test(id),
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: false,
  });
  await build.close();
  for (const file of output)
    if (file.type === 'chunk') write(join(MODULES, file.fileName), file.code);
  for (const name of ['migrations', 'console'])
    cpSync(join(SERVER, name), join(FOLDER, name), { recursive: true });
  for (const name of ['package.json', 'bin/start.js'])
    write(join(FOLDER, name), readFileSync(join(SERVER, name), 'utf8'));
  // Not in the user's own folder, where an installed one would have it.
  const cache = JSON.stringify(join(SERVER, '.cache'));
  const next = JSON.stringify('./start.js');
  const start = `process.env.NODE_COMPILE_CACHE ??= ${cache};\nawait import(${next});\n`;
  write(join(FOLDER, 'bin/unwrite.js'), start);
}

/** Another run may use it at the same time. */
function write(path: string, text: string): void {
  if (read(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

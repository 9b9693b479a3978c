// Vitest's global set-up: joins the modules of each thread of the server into one file. To find and load two hundred
// modules is most of the processor time of a thread that a test starts, and tests start hundreds.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** By the URL of a thread's source, that of the file to run in its place. */
    readonly bundledThreads: Record<string, string>;
  }
}

const SERVER = fileURLToPath(new URL('../../..', import.meta.url));
// Below the server, so that packages are found from there.
const FOLDER = join(SERVER, '.cache', 'threads');
const THREADS = { worker: 'src/app/worker.ts', writer: 'src/app/writer.ts' };

export default async function bundleThreads(project: TestProject): Promise<void> {
  await bundle();
  // With npx vitest, after a change.
  project.onTestsRerun(bundle);
  const urls = Object.entries(THREADS).map(([name, source]) => [
    pathToFileURL(join(SERVER, source)).href,
    pathToFileURL(join(FOLDER, `${name}.js`)).href,
  ]);
  project.provide('bundledThreads', Object.fromEntries(urls));
}

async function bundle(): Promise<void> {
  const build = await rolldown({
    input: Object.fromEntries(
      Object.entries(THREADS).map(([name, source]) => [name, join(SERVER, source)]),
    ),
    cwd: SERVER,
    platform: 'node',
    logLevel: 'silent',
    // Of others' packages, which are loaded as they are.
    external: (id) => !/^(\.|\/|[A-Za-z]:|@unwrite\/)/.test(id),
    plugins: [KEEP_URLS],
  });
  const { output } = await build.generate({
    format: 'esm',
    chunkFileNames: '[name].js',
    minify: false,
  });
  await build.close();
  for (const file of output) if (file.type === 'chunk') write(file.fileName, file.code);
}

/** Modules find files beside them: the URL of each stays that of its source. */
const KEEP_URLS: Plugin = {
  name: 'keep-urls',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/** Another run may use it at the same time. */
function write(name: string, code: string): void {
  const path = join(FOLDER, name);
  if (read(path) === code) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, code);
  renameSync(`${path}.${process.pid}`, path);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

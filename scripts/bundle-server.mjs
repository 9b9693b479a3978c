// Joins the server's modules and what they need of other packages: for what is packed, and for the threads and processes
// that tests start.
import { cpSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './run.mjs';

const PACKAGE = join(ROOT, 'packages/server');
/** What a process or a thread starts with. */
export const ENTRIES = [
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

/** All modules are in one folder of dist/: they find each other, and the package, by src/files/own-files.ts. */
export const MODULES = 'server';
export const nameOfEntry = (path) => path.split('/').at(-1);

/** Answers what rolldown makes of it; the files that packages read are copied at once. */
export async function bundleServer(dist, { entries = ENTRIES, minify }) {
  const input = await rolldown({
    input: Object.fromEntries(
      entries.map((path) => [nameOfEntry(path), join(PACKAGE, 'src', `${path}.ts`)]),
    ),
    platform: 'node',
    logLevel: 'silent',
    // An addon that pg takes where it is installed.
    external: [/^node:/, 'pg-native'],
    transform: { define: { __dirname: 'import.meta.dirname' } },
    plugins: [{ name: 'files-of-packages', transform: findFiles }],
  });
  const { output } = await input.generate({
    format: 'esm',
    minify,
    comments: { legal: false },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await input.close();
  for (const [name, { folder, files }] of Object.entries(WITH_FILES))
    cpSync(join(ROOT, 'node_modules', name, files), join(dist, folder, files), { recursive: true });
  return output;
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

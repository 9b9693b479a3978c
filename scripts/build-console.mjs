// Builds the console into packages/server/console/, when its sources changed since the last time. Also run by the
// set-up of npm start, npm run demo and npm test, and before the server's package is packed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { commandFile, fail, nodeBinary, ROOT } from './run.mjs';

const SOURCES = join(ROOT, 'packages/console');
const BUILT = join(ROOT, 'packages/server/console');
const STAMP = join(BUILT, 'sources.sha256');
const LOCK = join(
  tmpdir(),
  `unwrite-console-${createHash('sha256').update(BUILT).digest('hex').slice(0, 12)}`,
);
const LOCK_MS = 120_000;
const COMPRESSED = /\.(js|css|svg)$/;

/** Of every source and of the packages that are built in. */
function digestOfSources() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const file of readdirSync(SOURCES, { recursive: true }).sort()) {
    const name = file.replaceAll('\\', '/');
    if (/^node_modules(\/|$)/.test(name) || !statSync(join(SOURCES, file)).isFile()) continue;
    hash.update(`\0${name}\0`).update(readFileSync(join(SOURCES, file)));
  }
  return hash.digest('hex');
}

/** Tests that run concurrently may ask for it at the same time: one builds, the others wait. */
function withLock(work) {
  const until = Date.now() + LOCK_MS;
  for (;;) {
    try {
      mkdirSync(LOCK);
      break;
    } catch (error) {
      // A build that was killed leaves it behind.
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() > until) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  try {
    work();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

function isBuilt(wanted) {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
}

export function buildConsole() {
  const wanted = digestOfSources();
  if (isBuilt(wanted)) return;
  withLock(() => isBuilt(wanted) || build(wanted));
}

function build(wanted) {
  console.log('Set-up: building the console …');
  rmSync(STAMP, { force: true });
  const { status } = spawnSync(nodeBinary(), [commandFile('vite'), 'build'], {
    cwd: SOURCES,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Also where a test asks for it: with "test", React would be built with all that it has for developers.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) fail('the console could not be built; what vite printed above says why.', 1);
  compress();
  writeFileSync(STAMP, wanted);
}

/** Once, here, and not with every answer. */
function compress() {
  const folder = join(BUILT, 'assets');
  for (const file of readdirSync(folder)) {
    if (!COMPRESSED.test(file)) continue;
    const path = join(folder, file);
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content));
  }
}

if (process.argv[1]?.endsWith('build-console.mjs')) buildConsole();

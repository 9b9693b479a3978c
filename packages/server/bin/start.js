// Sets what must be set before our modules are loaded, then loads them: src/ in the repository, dist/ as packed.
import { existsSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = new URL('../src/main.ts', import.meta.url);
const isClone = existsSync(SOURCE);

// Half of these threads look up host names, and a name server that does not answer holds a thread for many seconds. With
// Node's default of 4, two such names would keep all other targets from theirs.
process.env.UV_THREADPOOL_SIZE ??= '64';

// Compiling (and, in the repository, stripping types) is most of the start-up time and a third of the memory. Through the
// variable, our threads and processes use the cache too.
const cache = process.env.NODE_COMPILE_CACHE ?? cacheFolder();
if (cache !== undefined) {
  process.env.NODE_COMPILE_CACHE = cache;
  enableCompileCache(cache);
}

await import(isClone ? SOURCE.href : '../dist/server/main.js');

/**
 * Compiled code is run as it is found, so it must be in a folder that no other user can write to: not in /tmp, and not in
 * a home folder that is someone else's (sudo may keep HOME). An installed package may be read-only, and whoever removes
 * it expects nothing to be left there.
 */
function cacheFolder() {
  if (isClone) return fileURLToPath(new URL('../.cache/', import.meta.url));
  const { CACHE_DIRECTORY, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  // systemd made it, for this service.
  if (CACHE_DIRECTORY) return CACHE_DIRECTORY.split(':')[0];
  if (process.platform === 'win32') return LOCALAPPDATA && join(LOCALAPPDATA, 'unwrite', 'cache');
  const home = homedir();
  const isOurs = statSync(home, { throwIfNoEntry: false })?.uid === process.getuid();
  if (!isOurs) return undefined;
  return join(XDG_CACHE_HOME || join(home, '.cache'), 'unwrite');
}

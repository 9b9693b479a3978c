// The packages of the lock file and how they need each other.

/** What an installation of Unwrite runs: the server, and the Node.js that the workspace brings. */
const SERVER = 'packages/server';
const PRODUCTION = [SERVER];

/** Built into files of the server's package. */
const CONSOLE = 'packages/console';
const BUILDING = ['@tailwindcss/vite', '@vitejs/plugin-react', 'vite'];
const isOfTypes = (name) => name.startsWith('@types/');

/** Paths in the lock file of all that production needs, in order, with those that each needs. */
export function productionGraph(lock) {
  const runtime = Object.keys(lock.packages[''].optionalDependencies ?? {});
  return reach(lock, [...PRODUCTION, ...runtime.map((name) => pathOf(lock, '', name))]);
}

/** What is built into the server's modules. How much of each is really in them, the build decides. */
export const serverGraph = (lock) => reach(lock, PRODUCTION);

/**
 * What the built console holds: the packages that its sources import, and what those need. How much of each is
 * really in it, the build decides.
 */
export function bundledGraph(lock) {
  return reach(lock, [CONSOLE], (path) =>
    path === CONSOLE ? pathsOf(lock, path, bundledNames(lock)) : withoutTypes(lock, path),
  );
}

/** The packages that the console's sources import. */
export function bundledNames(lock) {
  const names = Object.keys(lock.packages[CONSOLE].devDependencies);
  return names.filter((name) => !BUILDING.includes(name) && !isOfTypes(name));
}

/** All that is delivered: built into the server or the console, and Node.js. */
export function deliveredGraph(lock) {
  const graph = new Map(productionGraph(lock));
  for (const [path, needed] of bundledGraph(lock)) {
    graph.set(path, [...new Set([...(graph.get(path) ?? []), ...needed])].sort());
  }
  graph.set(SERVER, [...graph.get(SERVER), CONSOLE].sort());
  return inOrder(graph);
}

/** The same, with all that development needs. */
export function wholeGraph(lock) {
  const { dependencies, devDependencies, optionalDependencies } = lock.packages[''];
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const ofConsole = Object.keys(lock.packages[CONSOLE].devDependencies);
  const roots = [...pathsOf(lock, '', names), ...pathsOf(lock, CONSOLE, ofConsole)];
  return inOrder(new Map([...reach(lock, roots), ...deliveredGraph(lock)]));
}

/** Sentences, one for each production package that runs a script when it is installed. */
export function installScriptProblems(lock) {
  return [...productionGraph(lock).keys()]
    .filter((path) => lock.packages[path].hasInstallScript)
    .map((path) => `${nameOf(path, lock)} runs a script when it is installed: production may not`);
}

/** As Node finds a package: in the nearest node_modules from there up. Undefined where there is none. */
export function findPackage(lock, from, name) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (lock.packages[path] !== undefined || from === '') {
    return lock.packages[path] === undefined ? undefined : path;
  }
  const cut = from.lastIndexOf('/node_modules/');
  return findPackage(lock, cut === -1 ? '' : from.slice(0, cut), name);
}

export function nameOf(path, lock) {
  return lock.packages[path].name ?? path.split('node_modules/').at(-1);
}

function reach(lock, roots, needs = (path) => neededBy(lock, path)) {
  const graph = new Map();
  const waiting = roots.filter((path) => path !== undefined);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (graph.has(path)) continue;
    const needed = needs(path);
    graph.set(path, needed);
    waiting.push(...needed);
  }
  return inOrder(graph);
}

function inOrder(graph) {
  return new Map([...graph].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutTypes(lock, path) {
  return neededBy(lock, path).filter((needed) => !isOfTypes(nameOf(needed, lock)));
}

function pathsOf(lock, from, names) {
  return names.flatMap((name) => pathOf(lock, from, name) ?? []).sort();
}

/** Optional ones and peers only where the lock file has them. */
function neededBy(lock, path) {
  const { dependencies, optionalDependencies, peerDependencies } = lock.packages[path];
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return [...new Set(names)].flatMap((name) => pathOf(lock, path, name) ?? []).sort();
}

function pathOf(lock, from, name) {
  const path = findPackage(lock, from, name);
  const entry = lock.packages[path ?? ''];
  return path !== undefined && entry.link === true ? entry.resolved : path;
}

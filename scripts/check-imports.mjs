// Import direction and circles. Imports point inward:
//   main -> cli -> app -> {http, auth, store, vault, operator, …} -> domain -> protocol
// These folders do not import each other: app/ hands them ports. Also: no source file over 300 lines, no folder over
// 28 files, and no members spread from a literal only to keep them on one line.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './run.mjs';

const MAX_LINES = 300;
const MAX_FILES = 28;
const SERVER = 'packages/server/src/';
const PROTOCOL = 'packages/protocol/src/';
const PROTOCOL_TEST = 'packages/protocol/test/';
const CLIENT = 'packages/client/src/';
const OPENDSR = 'packages/opendsr/src/';

/** Files of the store that are neither database's own. */
const STORE = ['coalesce', 'dialect', 'migrations', 'sql', 'stored-text', 'write-ops'].map(
  (name) => `${SERVER}store/${name}.ts`,
);

/** What a place may import from, beside itself. Longest prefix wins. */
const MAY_IMPORT = {
  [PROTOCOL]: [],
  [`${SERVER}domain/`]: [PROTOCOL],
  [`${SERVER}config/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}files/`]: [],
  [`${SERVER}vault/`]: [`${SERVER}files/`, `${SERVER}domain/`, PROTOCOL],
  [`${SERVER}store/`]: [`${SERVER}domain/`, PROTOCOL],
  // The databases do not know each other, and what they share knows neither.
  [`${SERVER}store/shared/`]: [...STORE, `${SERVER}domain/`, PROTOCOL],
  [`${SERVER}store/sqlite/`]: [
    ...STORE,
    `${SERVER}store/shared/`,
    `${SERVER}files/`,
    `${SERVER}domain/`,
    PROTOCOL,
  ],
  [`${SERVER}store/postgres/`]: [
    ...STORE,
    `${SERVER}store/shared/`,
    `${SERVER}files/`,
    `${SERVER}domain/`,
    PROTOCOL,
  ],
  [`${SERVER}store/copy/`]: [`${SERVER}store/`, `${SERVER}domain/`, PROTOCOL],
  [`${SERVER}store/backup/`]: [`${SERVER}store/`, `${SERVER}files/`, `${SERVER}domain/`, PROTOCOL],
  [`${SERVER}auth/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}certificate/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}telemetry/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}outbound/`]: [`${SERVER}domain/`],
  [`${SERVER}alarms/`]: [`${SERVER}outbound/`, `${SERVER}domain/`, PROTOCOL],
  [`${SERVER}audit/`]: [`${SERVER}files/`, `${SERVER}domain/`, PROTOCOL],
  [`${SERVER}receipts/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}restore/`]: [`${SERVER}files/`, `${SERVER}domain/`, PROTOCOL],
  [`${SERVER}retention/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}queue/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}fulfilment/`]: [`${SERVER}domain/`, PROTOCOL],
  [`${SERVER}connectors/`]: [`${SERVER}files/`, `${SERVER}outbound/`, `${SERVER}domain/`, PROTOCOL],
  // Recipes come with the package.
  [`${SERVER}config/targets/rest/`]: [
    `${SERVER}config/`,
    `${SERVER}files/`,
    `${SERVER}domain/`,
    PROTOCOL,
  ],
  // Talks to other processors as a controller does.
  [`${SERVER}connectors/opendsr/`]: [
    `${SERVER}connectors/`,
    `${SERVER}outbound/`,
    `${SERVER}domain/`,
    PROTOCOL,
    CLIENT,
  ],
  // Use cases are handed what they need: no store, no vault, and neither of those that offer them.
  [`${SERVER}operator/`]: [`${SERVER}domain/`, PROTOCOL],
  // The API authenticates, and offers operators what the command line does.
  [`${SERVER}http/`]: [
    `${SERVER}auth/`,
    `${SERVER}operator/`,
    `${SERVER}files/`,
    `${SERVER}domain/`,
    PROTOCOL,
  ],
  // app/ and the command line see every folder; nothing but main sees the command line.
  [SERVER]: [SERVER, PROTOCOL],
  [PROTOCOL_TEST]: [PROTOCOL],
  // For controllers: nothing of the server.
  [CLIENT]: [PROTOCOL],
  // On the SDK alone. The conformance kit shares no code with a server that it checks, so not even the protocol.
  [OPENDSR]: [CLIENT],
  // Files of people are read as strictly as a processor reads a request.
  [`${OPENDSR}people/`]: [OPENDSR, CLIENT, PROTOCOL],
  'packages/opendsr/test/': [
    OPENDSR,
    CLIENT,
    SERVER,
    'packages/client/test/',
    `${PROTOCOL_TEST}helpers/`,
    'packages/server/test/helpers/',
    'examples/',
  ],
  'packages/client/test/': [
    CLIENT,
    PROTOCOL,
    `${PROTOCOL_TEST}helpers/`,
    SERVER,
    'packages/server/test/helpers/',
  ],
  // The builder of request bodies is there once.
  'packages/server/test/': [SERVER, PROTOCOL, `${PROTOCOL_TEST}helpers/`, 'demo/'],
  'bench/': [SERVER, PROTOCOL, 'packages/server/test/helpers/'],
  // From outside: the command line and HTTP alone.
  'demo/': [],
  // In a browser: the operator API alone.
  'packages/console/src/': [],
};
const PACKAGES = {
  '@unwrite/protocol': `${PROTOCOL}index.ts`,
  '@unwrite/client': `${CLIENT}index.ts`,
  '@unwrite/client/node': `${CLIENT}node.ts`,
};
/** Files that run wherever fetch does: nothing of Node. */
const RUNS_ANYWHERE = (file) =>
  file.startsWith(CLIENT) && !/\/(certificate\/|node\.ts$)/.test(file);
const DOMAIN_MODULES = /^(node:util|@unwrite\/protocol)$/;

const SPREAD_LITERAL = /^\s*\.\.\.(?:\{ |\[[^\]]*\],$)/;
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

function placeOf(file) {
  return Object.keys(MAY_IMPORT)
    .filter((prefix) => file.startsWith(prefix))
    .sort((a, b) => b.length - a.length)[0];
}

function importsOf(file) {
  const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  return [...source.matchAll(IMPORT)].map(([, name]) => name);
}

function resolveImport(file, name) {
  if (PACKAGES[name]) return PACKAGES[name];
  if (!name.startsWith('.')) return undefined;
  return normalize(join(dirname(file), name)).replaceAll('\\', '/');
}

const problems = [];
const graph = new Map();
const files = globSync(
  ['packages/*/src/**/*.{ts,tsx}', 'packages/*/test/**/*.ts', 'bench/**/*.ts', 'demo/**/*.ts'],
  {
    cwd: ROOT,
  },
)
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

for (const file of files) {
  const place = placeOf(file);
  const targets = [];
  for (const name of importsOf(file)) {
    const target = resolveImport(file, name);
    if (target === undefined) {
      if (place === PROTOCOL || RUNS_ANYWHERE(file))
        problems.push(`${file} is pure and may not import ${name}`);
      if (place === `${SERVER}domain/` && !DOMAIN_MODULES.test(name))
        problems.push(`${file} is domain and may not import ${name}`);
      continue;
    }
    if (!existsSync(join(ROOT, target)))
      problems.push(`${file} imports ${target}, which does not exist`);
    const allowed = [place, ...MAY_IMPORT[place]].some((prefix) => target.startsWith(prefix));
    if (!allowed) problems.push(`${file} may not import ${target}`);
    const fromOutside = file.startsWith(SERVER) && !/\/(cli\/|main\.ts$)/.test(file);
    if (fromOutside && target.startsWith(`${SERVER}cli/`))
      problems.push(`${file} may not import the command line`);
    targets.push(target);
  }
  graph.set(file, targets);
}

const state = new Map();
function findCircle(file, path) {
  if (state.get(file) === 'done') return;
  if (state.get(file) === 'open') {
    problems.push(`circle: ${[...path.slice(path.indexOf(file)), file].join(' -> ')}`);
    return;
  }
  state.set(file, 'open');
  for (const target of graph.get(file) ?? []) findCircle(target, [...path, file]);
  state.set(file, 'done');
}
for (const file of files) findCircle(file, []);

const sizes = files
  .filter((file) => !file.includes('/test/'))
  .map((file) => [file, readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1])
  .sort((a, b) => a[1] - b[1]);
for (const [file, lines] of sizes)
  if (lines > MAX_LINES) problems.push(`${file} has ${lines} lines; split it`);

for (const file of files) {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const place = lines.findIndex((line) => SPREAD_LITERAL.test(line));
  if (place >= 0)
    problems.push(`${file}:${place + 1} spreads a literal; write its members instead`);
}

const byFolder = Map.groupBy(files, (file) => dirname(file));
for (const [folder, inside] of byFolder)
  if (inside.length > MAX_FILES)
    problems.push(`${folder} holds ${inside.length} files; split it by subject`);

for (const problem of problems) console.error(`  ${problem}`);
const median = sizes[Math.floor(sizes.length / 2)]?.[1];
console.log(
  `  ${files.length} files, ${sizes.length} of them sources; median ${median} lines, longest ${sizes.at(-1)?.[1]}`,
);
process.exit(problems.length > 0 ? 1 : 0);

// Packs a package of this repository as `npm publish` would.
// node scripts/pack.mjs server FOLDER: prints the path of the tarball.
// node scripts/pack.mjs server FOLDER --install: installs it in that folder, and prints the path of its command.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, ROOT } from './run.mjs';

/** The folders below packages/ of what is published. */
export const PUBLISHED = ['server', 'client', 'opendsr'];

/** The path of the tarball. `root`: of a copy of the repository, if it is not to be packed here. */
export function pack(name, destination, root = ROOT) {
  // Silent: no line about each script that npm runs. What these print is shown.
  const args = ['pack', '--json', '--silent', '--pack-destination', destination];
  const output = npm(args, join(root, 'packages', name));
  // Before npm's own JSON there may be what prepack printed.
  const [{ filename }] = JSON.parse(output.slice(output.search(/^\[/m)));
  return join(destination, filename.replace('@', '').replace('/', '-'));
}

/** What it printed. Nothing of an npm that runs this goes into it. */
export function npm(args, cwd) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_COMPILE_CACHE)/.test(name)),
  );
  return execFileSync('npm', [...args, '--no-audit', '--no-fund'], {
    cwd,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

/** In an empty project, without a registry: there is nothing to fetch. The path of its command. */
export function installPacked(tarball, folder) {
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  npm(['install', '--offline', '--loglevel=error', tarball], folder);
  return join(folder, 'node_modules/unwrite/bin/unwrite.js');
}

/** A Node.js of this version from the registry, which has it under other names for other systems than Linux. */
export function fetchNode(version, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(folder, `node-${version}`);
  npm(
    ['install', '--ignore-scripts', '--loglevel=error', '--prefix', place, `${name}@${version}`],
    folder,
  );
  return join(place, 'node_modules', name, 'bin/node');
}

if (process.argv[1]?.endsWith('pack.mjs')) {
  const [name, folder, option] = process.argv.slice(2);
  if (!PUBLISHED.includes(name) || folder === undefined)
    fail(`give one of ${PUBLISHED.join(', ')}, and a folder`);
  const place = resolve(folder);
  mkdirSync(place, { recursive: true });
  const tarball = pack(name, place);
  console.log(option === '--install' ? installPacked(tarball, place) : tarball);
}

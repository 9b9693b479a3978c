// The version of everything that is released is that of packages/server. The other packages have the same one, and so
// do their mentions of each other, here and in the lock file: `setVersion` writes all of them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
const manifestsIn = (root) =>
  readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'package.json'));

export const versionOf = (root) => read(join(root, 'packages/server/package.json')).version;

/** Sentences, one for each place that has another version. */
export function versionProblems(root) {
  const version = versionOf(root);
  const manifests = manifestsIn(root).map((file) => read(file));
  const lock = read(join(root, 'package-lock.json'));
  const locked = Object.entries(lock.packages).flatMap(([path, entry]) =>
    path.startsWith('packages/') ? [{ name: `${path} of package-lock.json`, ...entry }] : [],
  );
  const own = manifests.map(({ name }) => name);
  return [...manifests, ...locked].flatMap((manifest) => [
    ...(manifest.version === version ? [] : [`${manifest.name} is ${manifest.version}`]),
    ...mentionsIn(manifest, own)
      .filter(([kind, name]) => manifest[kind][name] !== version)
      .map(([kind, name]) => `${manifest.name} names ${name} ${manifest[kind][name]}`),
  ]);
}

export function setVersion(root, version) {
  if (!VERSION.test(version)) throw new Error(`${version} is not a version, such as 0.2.0`);
  const own = manifestsIn(root).map((file) => read(file).name);
  for (const file of manifestsIn(root)) write(file, changed(read(file), own, version));
  const file = join(root, 'package-lock.json');
  const lock = read(file);
  for (const path of Object.keys(lock.packages).filter((it) => it.startsWith('packages/')))
    lock.packages[path] = changed(lock.packages[path], own, version);
  write(file, lock);
}

function mentionsIn(manifest, own) {
  return KINDS.flatMap((kind) =>
    own.filter((name) => manifest[kind]?.[name] !== undefined).map((name) => [kind, name]),
  );
}

function changed(manifest, own, version) {
  const copy = structuredClone(manifest);
  copy.version = version;
  for (const [kind, name] of mentionsIn(copy, own)) copy[kind][name] = version;
  return copy;
}

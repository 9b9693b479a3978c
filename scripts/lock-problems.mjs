// What keeps `npm ci` from working on a platform that we support, read from the lock file.
import { findPackage } from './lock-graph.mjs';

const PLATFORMS = ['darwin-arm64', 'linux-arm64', 'linux-x64', 'win32-x64'];

/** Sentences, one for each problem. `lock` is the parsed package-lock.json. */
export function lockProblems(lock) {
  const packages = Object.entries(lock.packages);
  return packages.flatMap(([path, entry]) => [
    ...resolvedProblems(path, entry),
    ...binaryProblems(lock, path, entry),
  ]);
}

/** A recorded address would bind everyone to the registry that the lock file was made with. */
function resolvedProblems(path, { resolved, link }) {
  const isAddress = link !== true && /^[a-z+]+:/.test(resolved ?? '');
  return isAddress ? [`${path} records where it was downloaded from: ${resolved}`] : [];
}

function binaryProblems(lock, path, { optionalDependencies = {} }) {
  const name = path.split('node_modules/').at(-1) || 'the workspace';
  const children = Object.entries(optionalDependencies).map(([child, version]) => ({
    child,
    entry: ofVersion(version, lock.packages[findPackage(lock, path, child) ?? 'none']),
  }));
  const missing = children
    .filter(({ entry }) => entry === undefined)
    .map(({ child }) => `${name} names ${child}, which the lock file does not have`);
  const covered = new Set(children.flatMap(({ entry }) => platformsOf(entry)));
  // For one platform only, such as fsevents: an extra of that platform, not a binary that each needs.
  if (covered.size < 2) return missing;
  const uncovered = PLATFORMS.filter((platform) => !covered.has(platform));
  return [...missing, ...uncovered.map((platform) => `${name} has no binary for ${platform}`)];
}

/** Another version of it may be there, for another package. */
function ofVersion(version, entry) {
  const isExact = /^\d+\.\d+\.\d+/.test(version);
  return isExact && entry?.version !== version ? undefined : entry;
}

function platformsOf({ os, cpu } = {}) {
  if (os === undefined || cpu === undefined) return [];
  return [os].flat().flatMap((system) => [cpu].flat().map((processor) => `${system}-${processor}`));
}

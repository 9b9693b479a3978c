// What is packed differs from what is in the repository, and npm packs package.json as it finds it: so it is changed by
// prepack, and changed back by postpack.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pathsIn = (folder) => ({
  manifest: join(folder, 'package.json'),
  saved: join(folder, 'package.source.json'),
});

export function changeManifest(folder, change) {
  const { manifest, saved } = pathsIn(folder);
  const source = readFileSync(manifest, 'utf8');
  writeFileSync(saved, source);
  writeFileSync(manifest, `${JSON.stringify(change(JSON.parse(source)), null, 2)}\n`);
}

/** Also before packing: a run that was killed leaves it changed. */
export function restoreManifest(folder) {
  const { manifest, saved } = pathsIn(folder);
  if (existsSync(saved)) renameSync(saved, manifest);
}

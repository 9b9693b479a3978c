// The image of the server's package, for the architecture of this machine, as an archive for `docker load` and `podman
// load`. In Docker's format: that of OCI has no health check. The workflow "image" builds it for all architectures.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../run.mjs';
import { ARCHITECTURES, EPOCH } from './build-deb.mjs';

/** Chroot: also in a container, where nothing else may be possible. */
const BUILD = ['bud', '--quiet', '--isolation', 'chroot', '--format', 'docker'];

/** The name of the file in `folder`, where the tarball is, or why it could not be made. */
export function buildImage({ folder, version }) {
  const architecture = ARCHITECTURES[process.arch];
  const name = `unwrite:${version}`;
  if (architecture === undefined) return { problem: `there is none for ${process.arch}` };
  if (spawnSync('buildah', ['--version']).error !== undefined)
    return { problem: 'that needs buildah, on Linux' };
  const args = ['--file', join(ROOT, 'deploy/Dockerfile'), '--build-arg', `VERSION=${version}`];
  const built = buildah(...BUILD, '--timestamp', EPOCH, ...args, '--tag', name, folder);
  if (built.problem !== undefined) return built;
  const archive = `unwrite-image_${version}_${architecture}.tar`;
  const path = join(folder, archive);
  rmSync(path, { force: true });
  const pushed = buildah('push', '--quiet', name, `docker-archive:${path}:${name}`);
  if (pushed.problem !== undefined) return pushed;
  execFileSync('gzip', ['--no-name', path]);
  return { file: `${archive}.gz` };
}

function buildah(...args) {
  const { status, stderr } = spawnSync('buildah', args, { encoding: 'utf8' });
  return status === 0 ? {} : { problem: `buildah says: ${stderr.trim().split('\n').at(-1)}` };
}

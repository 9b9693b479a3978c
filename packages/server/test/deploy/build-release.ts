// The files of a release, the image included, made without a network: in place of the public base image stands one with
// the same system and the Node.js that npm has brought.
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, ROOT } from './tools.ts';

/** Where buildah keeps images, apart from those of this machine. */
function storageIn(folder: string): Record<string, string> {
  const file = join(folder, 'storage.conf');
  writeFileSync(
    file,
    `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/images"\nrunroot = "${folder}/run"\n`,
  );
  return { CONTAINERS_STORAGE_CONF: file, BUILDAH_ISOLATION: 'chroot' };
}

export function baseImage(): string {
  const source = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const node = /^ARG NODE_VERSION=(\S+)$/m.exec(source)?.[1] ?? 'none';
  const base = /^FROM (\S+) AS build$/m.exec(source)?.[1] ?? 'none';
  return base.replace(/\$\{NODE_VERSION\}/, node);
}

/** Answers the environment in which buildah finds its images. */
export function makeBaseImage(folder: string): Record<string, string> {
  const storage = storageIn(folder);
  const system = join(folder, 'system.tar');
  const suite = /-(\w+)-slim$/.exec(baseImage())?.[1] ?? 'none';
  output('mmdebstrap', [
    '--quiet',
    '--variant=essential',
    '--include=libatomic1,libstdc++6',
    suite,
    system,
  ]);
  const buildah = (...args: string[]) => output('buildah', args, storage).trim();
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, system, '/');
  const node = realpathSync(join(ROOT, 'node_modules/.bin/node'));
  buildah('copy', '--quiet', container, node, '/usr/local/bin/node');
  buildah('commit', '--quiet', '--rm', container, baseImage());
  return storage;
}

export interface Release {
  readonly folder: string;
  readonly said: string;
}

/** `node scripts/release.mjs --dry-run`, signed where there is a key. */
export function makeRelease(
  folder: string,
  { storage, key }: { readonly storage: Record<string, string>; readonly key: string | undefined },
): Release {
  mkdirSync(folder, { recursive: true });
  const args = [join(ROOT, 'scripts/release.mjs'), '--dry-run', '--to', folder];
  const said = output(process.execPath, [...args, ...(key === undefined ? [] : ['--sign', key])], {
    ...storage,
    COSIGN_PASSWORD: KEY_PASSWORD,
  });
  return { folder, said };
}

export const KEY_PASSWORD = 'of a test';

// An image as a container runtime would run it, by bubblewrap: as the image's own user, with a read-only root, without
// capabilities, and with nothing writable but the data folder.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Ended } from './tools.ts';
import { output } from './tools.ts';

/** What Docker calls the config of an image. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Record<string, object>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface UnpackedImage {
  readonly config: ImageConfig;
  readonly root: string;
}

/** Loaded as by `gunzip --stdout … | docker load`, and unpacked in `folder`. */
export function unpackImage(
  archive: string,
  folder: string,
  storage: Record<string, string>,
): UnpackedImage {
  const plain = join(folder, 'image.tar');
  writeFileSync(plain, gunzipSync(readFileSync(archive)));
  const container = output('buildah', ['from', `docker-archive:${plain}`], storage).trim();
  const { Docker } = JSON.parse(output('buildah', ['inspect', container], storage));
  const mounted = output('buildah', ['mount', container], storage).trim();
  const root = join(folder, 'root');
  output('cp', ['-a', mounted, root]);
  chmodSync(root, 0o555);
  output('buildah', ['rm', container], storage);
  return { config: Docker.config, root };
}

export interface Machine {
  /** Runs a command of the image to its end. */
  run(...args: string[]): Ended;
  serve(): { output(): string; stop(): Promise<number | null> };
}

/** `folder` must be one that the image's user can reach. */
export function createMachine(
  { config, root }: UnpackedImage,
  folder: string,
  settings: Record<string, string>,
): Machine {
  const [user = 0, group = 0] = config.User.split(':').map(Number);
  const [data = 'no volume'] = Object.keys(config.Volumes);
  for (const name of ['data', 'etc'])
    mkdirSync(join(folder, name), { mode: 0o755, recursive: true });
  chownSync(join(folder, 'data'), user, group);
  chmodSync(join(folder, 'data'), 0o700);
  const environment = [...config.Env.map((line) => line.split('=')), ...Object.entries(settings)];
  const binds = [
    ['--ro-bind', root, '/'],
    ['--proc', '/proc'],
    ['--dev', '/dev'],
    ['--bind', join(folder, 'data'), data],
    ['--ro-bind', join(folder, 'etc'), '/etc/unwrite'],
  ];
  const variables = environment.map(([name = '', value = '']) => ['--setenv', name, value]);
  const line = [
    ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--no-new-privs'],
    ['bwrap', '--unshare-all', '--share-net', '--die-with-parent', '--cap-drop', 'ALL'],
    ...binds,
    ['--clearenv'],
    ...variables,
    ['--chdir', config.WorkingDir],
  ].flat();
  const [command = '', ...before] = line;
  return {
    run: (...args) => {
      const all = [...before, ...config.Entrypoint, ...args];
      const { status, stdout, stderr } = spawnSync(command, all, { encoding: 'utf8' });
      return { status, stdout, stderr };
    },
    serve() {
      // As the process 1, which gets signals only if it asks for them.
      const all = [...before, '--as-pid-1', '--info-fd', '3'];
      const child = spawn(command, [...all, ...config.Entrypoint, ...config.Cmd], {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      });
      const [, stdout, stderr, info] = child.stdio as Readable[];
      let said = '';
      for (const stream of [stdout, stderr])
        stream?.on('data', (chunk) => {
          said += chunk;
        });
      const told = info === undefined ? Promise.reject(new Error('no info')) : json(info);
      return {
        output: () => said,
        async stop() {
          if (child.exitCode !== null) return child.exitCode;
          const ended = once(child, 'exit');
          process.kill(((await told) as { 'child-pid': number })['child-pid'], 'SIGTERM');
          return (await ended)[0];
        },
      };
    },
  };
}

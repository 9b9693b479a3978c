// Packs a package of this repository as `npm publish` would, from a copy, so that nothing here is changed meanwhile.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const PARTS = ['packages/protocol', 'packages/client', 'packages/opendsr', 'scripts'];
const LEFT_OUT = /[\\/](?:node_modules|dist|dist-types|test|\.cache)$/;

/** The path of the tarball. */
export function packInto(folder: string, name: string): string {
  const copy = join(folder, 'copy');
  mkdirSync(join(copy, 'packages'), { recursive: true });
  for (const part of ['package.json', 'tsconfig.json', ...PARTS])
    cpSync(join(ROOT, part), join(copy, part), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(path),
    });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  npm(join(copy, 'packages', name), 'pack', '--pack-destination', folder);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack wrote nothing');
  return join(folder, tarball);
}

export function npm(folder: string, ...args: string[]): string {
  return run('npm', [...args, '--no-audit', '--no-fund'], folder);
}

export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    // Of the npm that runs these tests.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_COMPILE_CACHE)/.test(name)),
    ),
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

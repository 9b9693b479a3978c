// The server's package as `npm publish` would pack it, installed in an empty project.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const LEFT_OUT = /[\\/](?:node_modules|dist|test|\.cache|data|server[\\/]console)$/;

/** Prints the path of the tarball, or of the installed command. */
export function runPack(root: string, folder: string, ...options: string[]): string {
  const args = [join(root, 'scripts/pack.mjs'), 'server', folder, ...options];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

/**
 * The repository in another place, with its own node_modules: hard links, so below the same folder. Removed at the end
 * of the work.
 */
export function withCopyOfRepository<T>(work: (copy: string) => T): T {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const copy = mkdtempSync(join(ROOT, '.cache', 'a copy '));
  try {
    const files = readdirSync(ROOT).filter((name) => /^[^.].*\.(?:json|md)$|^LICENSE$/.test(name));
    for (const part of [...files, 'deploy', 'docs', 'examples', 'packages', 'scripts'])
      cpSync(join(ROOT, part), join(copy, part), {
        recursive: true,
        filter: (path) => !LEFT_OUT.test(path),
      });
    execFileSync('cp', ['-al', join(ROOT, 'node_modules'), copy]);
    return work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A Node.js of this version, from the registry. */
export function fetchNode(version: string, folder: string): string {
  const place = join(folder, `node-${version}`);
  const wanted = `${NODE_PACKAGE}@${version}`;
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', place, wanted],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${wanted}: ${stderr}`);
  return join(place, 'node_modules', NODE_PACKAGE, 'bin/node');
}

// The programs that the tests of deploy/ need: on the PATH, or as `npm run test:long -- deploy` has unpacked them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noteMissing, type Part } from '../helpers/missing-parts.ts';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const UNPACKED = process.env.UNWRITE_TEST_DEPLOY_TOOLS;
const FOLDERS = [
  ...(UNPACKED === undefined
    ? []
    : ['usr/bin', 'usr/libexec/docker/cli-plugins'].map((path) => join(UNPACKED, path))),
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
];

/** With the unpacked programs. */
export const PATH = FOLDERS.join(delimiter);

/** The path of a program; undefined where there is none, which the end of the run says. */
export function findTool(program: string, part: Part): string | undefined {
  const found = FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) noteMissing(part);
  return found;
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runTool(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Ended {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PATH, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** What it printed; it must succeed. */
export function output(...[program, args, env]: Parameters<typeof runTool>): string {
  const { status, stdout, stderr } = runTool(program, args, env);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status} ${stderr}${stdout}`);
  return stdout;
}

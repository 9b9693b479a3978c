// A database's own program: runs to its end, or until it says that it is ready.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
  /** Again, with the data that it had. */
  start(): Promise<void>;
}

// All of them refuse to run as root. Nobody's account is on every machine; none has to be made.
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const account = isRoot ? NOBODY : {};

export function giveFolder(path: string): void {
  if (isRoot) chownSync(path, NOBODY.uid, NOBODY.gid);
}

/** The programs in a folder, or a copy of them: the account that runs them cannot get below root's home, say. */
export function copyWhereNotReached(programs: string, folder: string): string {
  if (canReach(programs)) return programs;
  const copy = join(folder, 'programs');
  cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(copy, name), NOBODY.uid, NOBODY.gid);
  giveFolder(copy);
  return copy;
}

/** For the data of a server: where tests write, or else where its account can get. */
export const makeServerFolder = (): TemporaryFolder =>
  makeTemporaryFolder(canReach(tmpdir()) ? tmpdir() : '/tmp');

/** Whether the account that runs servers can. */
function canReach(path: string): boolean {
  if (!isRoot) return true;
  const parent = dirname(path);
  const isOpen = (statSync(path).mode & 0o001) !== 0;
  return isOpen && (parent === path || canReach(parent));
}

let keptIn: string | undefined;

/** What the programs say from now on goes into that file, too. */
export function keepOutput(file: string): void {
  keptIn = file;
}

interface Program {
  readonly output: () => string;
  readonly exited: Promise<number | null>;
  readonly saw: (text: string) => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

function run(file: string, args: readonly string[]): Program {
  const child = spawn(file, args, {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  let output = '';
  let listen = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      if (keptIn !== undefined) appendFileSync(keptIn, chunk);
      output = (output + chunk).slice(-4000);
      listen();
    });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return {
    output: () => output,
    exited,
    saw: (text) =>
      new Promise((resolve) => {
        listen = () => output.includes(text) && resolve();
      }),
    kill: (signal) => child.kill(signal),
  };
}

export async function runToEnd(file: string, args: readonly string[]): Promise<void> {
  const program = run(file, args);
  const code = await program.exited;
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${lastLine(program.output())}`);
}

/** Its data is thrown away with it, so it is stopped by the quickest signal that leaves no process. */
export async function runUntilReady(
  file: string,
  args: readonly string[],
  ready: string,
  stopSignal: NodeJS.Signals,
): Promise<() => Promise<void>> {
  const program = run(file, args);
  const ended = program.exited.then((code) => {
    throw new Error(`${file} ended with ${code}: ${lastLine(program.output())}`);
  });
  await Promise.race([program.saw(ready), ended]);
  ended.catch(() => undefined);
  return async () => {
    program.kill(stopSignal);
    await program.exited;
  };
}

/** The server that `run` runs, which can be stopped and run again. */
export async function keepRunning(
  url: string,
  run: () => Promise<() => Promise<void>>,
): Promise<RunningServer> {
  let stop: (() => Promise<void>) | undefined = await run();
  return {
    url,
    async stop() {
      const last = stop;
      stop = undefined;
      await last?.();
    },
    async start() {
      stop ??= await run();
    },
  };
}

/** Of a package of the distribution. */
export function findProgram(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`there is no ${name} on this machine`);
  return found;
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

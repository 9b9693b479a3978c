// A command in this process: a tenth of the time of a process of its own. Commands may run beside each other
// and beside a server here: what belongs to a process stands in the context of the call.
import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runCommandLine } from '../../src/cli/program.ts';
import { BIN, type CommandResult, NODE } from '../helpers/servers/server-process.ts';

interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly written: { stdout: string; stderr: string };
}

const contexts = new AsyncLocalStorage<Context>();
let running = 0;
let home = process.cwd();

export interface RunHereOptions {
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly cwd?: string | undefined;
  /** To read from standard input. */
  readonly input?: string | undefined;
}

/** An installed package is there as a process only. */
function runInstalled(
  args: readonly string[],
  { env, cwd, input }: RunHereOptions,
): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const options = { env, cwd, maxBuffer: 256 * 1024 * 1024 };
  const child = execFile(NODE, [BIN, ...args], options, (_, stdout, stderr) =>
    resolve({ exitCode: child.exitCode, stdout, stderr }),
  );
  // A command that is refused has ended before it reads.
  child.stdin?.on('error', () => undefined).end(input);
  return promise;
}

/** Those that run beside each other have the same folder. */
export async function runHere(
  args: readonly string[],
  { env = process.env, cwd, input }: RunHereOptions = {},
): Promise<CommandResult> {
  if (process.env.UNWRITE_TEST_BIN !== undefined) return runInstalled(args, { env, cwd, input });
  if (running === 0) home = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  running++;
  const stdin = Readable.from(input === undefined ? [] : [input]);
  const context: Context = {
    env,
    stdin,
    written: { stdout: '', stderr: '' },
  };
  const run = contexts.run(context, async () => {
    // On SQLite most of them never wait: whoever asks in a loop must not keep the server from its turn.
    await nextTurn();
    const exitCode = await runCommandLine(['node', 'unwrite', ...args]);
    return { exitCode, ...context.written };
  });
  return run.finally(() => {
    // The folder may be removed before the next.
    if (--running === 0) process.chdir(home);
  });
}

function contextual<T>(name: keyof NodeJS.Process, of: (context: Context) => T): void {
  const { get, set, value: before } = Object.getOwnPropertyDescriptor(process, name) ?? {};
  let outside: unknown = before;
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get() {
      const context = contexts.getStore();
      if (context !== undefined) return of(context);
      return get === undefined ? outside : get.call(process);
    },
    set(value) {
      if (set === undefined) outside = value;
      else set.call(process, value);
    },
  });
}

function collected(name: 'stdout' | 'stderr'): void {
  const stream = process[name];
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    const context = contexts.getStore();
    if (context === undefined) return write(chunk, ...rest);
    context.written[name] += String(chunk);
    return true;
  };
}

contextual('env', ({ env }) => env);
contextual('stdin', ({ stdin }) => stdin);
collected('stdout');
collected('stderr');

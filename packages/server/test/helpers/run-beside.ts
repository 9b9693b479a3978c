// `unwrite …` beside whatever else this process is doing: it waits for nobody and blocks nobody.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import {
  BIN,
  type CommandResult,
  environmentOf,
  NODE,
  type ProcessOptions,
} from './servers/server-process.ts';

export async function runBeside(
  args: readonly string[],
  options: Partial<ProcessOptions> & { readonly cwd?: string; readonly input?: string } = {},
): Promise<CommandResult> {
  const { bin = BIN, dataDir = '/nonexistent', port = 8080 } = options;
  const child = spawn(NODE, [bin, ...args], {
    env: environmentOf({ ...options, dataDir, port }),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  // A command that is refused has ended before it reads.
  child.stdin.on('error', () => undefined).end(options.input);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { exitCode: child.exitCode, stdout, stderr };
}

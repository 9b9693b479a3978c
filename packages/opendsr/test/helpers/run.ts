// A command in this process, with what it wrote.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Io } from '../../src/io.ts';
import { runCommandLine } from '../../src/program.ts';

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly input?: string;
  /** Of the terminal; undefined: there is none. */
  readonly columns?: number;
  readonly io?: Partial<Io>;
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function opendsr(args: readonly string[], options: RunOptions): Promise<RunResult> {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
    },
    columns: options.columns,
  });
  const io: Io = {
    env: options.env ?? {},
    cwd: options.cwd,
    home: options.home ?? '/nonexistent',
    stdin: Readable.from(options.input === undefined ? [] : [Buffer.from(options.input)]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    now: () => Date.now(),
    wait: (milliseconds, signal) =>
      delay(Math.min(milliseconds, 5), undefined, signal ? { signal } : {}),
    onInterrupt: () => () => undefined,
    ...options.io,
  };
  return { exitCode: await runCommandLine(args, io), ...written };
}

// What a command reads and writes beside files: given to it, so that tests can look at it.
import type { Readable } from 'node:stream';

export interface Output {
  write(text: string): void;
  /** Undefined where it is no terminal. */
  readonly columns: number | undefined;
}

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  now(): number;
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Called when someone presses Ctrl+C, or the process is told to end. Returns how to stop listening. */
  onInterrupt(listener: () => void): () => void;
}

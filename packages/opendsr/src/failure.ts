// How a command fails: a message for people, an exit code for scripts.
import { ErasureError } from '@unwrite/client';
import { CommanderError } from 'commander';
import type { Io } from './io.ts';

export const EXIT = {
  done: 0,
  /** It was done, and something is wrong: people who were not submitted, a receipt that does not verify. */
  failed: 1,
  /** Nothing was done: wrong options, settings or files. */
  usage: 2,
  /** Stopped before the end; the same command carries on. */
  stopped: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const usageFailure = (message: string) => new CommandFailure(message, EXIT.usage);

/** Writes the problem to standard error and returns the exit code. */
export function reportFailure(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof CommandFailure || error instanceof ErasureError) {
    io.stderr.write(`opendsr: ${error.message}\n`);
    return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
  }
  throw error;
}

/** Problems of the file system, in words. */
export function fileFailure(path: string, error: unknown, what = 'be read'): CommandFailure {
  const { code } = error as NodeJS.ErrnoException;
  return usageFailure(
    `${path} cannot ${what} (${code ?? 'unknown'}); check its name and permissions`,
  );
}

/** Of a file that is written while people are submitted. */
export function writeFailure(path: string, error: unknown): CommandFailure {
  const { code } = error as NodeJS.ErrnoException;
  return new CommandFailure(
    `${path} cannot be written (${code ?? 'unknown'}), so the run has stopped; make room, or check permissions, and run the same command again to carry on`,
    EXIT.stopped,
  );
}

import type { ExitCode } from './failure.ts';
import type { Io } from './io.ts';

export interface CommandContext {
  readonly io: Io;
  /** How the command ended, where that is not 0. */
  end(code: ExitCode): void;
}

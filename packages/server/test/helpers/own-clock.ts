// A clock of this process that a test puts forward. What is to go by it is opened afterwards; threads and
// other processes have their own.
import { vi } from 'vitest';

export interface OwnClock {
  forward(ms: number): void;
  /** Stands still from now on, however slow the machine is. */
  stop(): void;
  restore(): void;
}

export function ownClock(): OwnClock {
  const now = Date.now.bind(Date);
  let ahead = 0;
  let stoppedAt: number | undefined;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => (stoppedAt ?? now()) + ahead);
  return {
    forward(ms) {
      ahead += ms;
    },
    stop() {
      stoppedAt ??= now();
    },
    restore: () => spy.mockRestore(),
  };
}

// A clock of this process that a test puts forward. What is to go by it is opened afterwards; threads and
// other processes have their own.
import { vi } from 'vitest';

export interface OwnClock {
  forward(ms: number): void;
  restore(): void;
}

export function ownClock(): OwnClock {
  const now = Date.now.bind(Date);
  let ahead = 0;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  return {
    forward(ms) {
      ahead += ms;
    },
    restore: () => spy.mockRestore(),
  };
}

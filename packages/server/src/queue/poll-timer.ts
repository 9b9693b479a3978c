export interface PollTimer {
  /** Called before a poll and awaited after it, so that wake-ups during the poll are not lost. */
  wait(): Promise<void>;
  wake(): void;
}

/** Milliseconds; the jitter is how much shorter or longer it may be. */
export function createPollTimer(ms: number, jitter = 0): PollTimer {
  let end: () => void = () => undefined;
  return {
    wait: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms + (Math.random() * 2 - 1) * jitter);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}

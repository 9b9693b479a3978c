// Time, so that tests do not have to wait for it.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that time; rejects with the signal's reason as soon as it is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(done, milliseconds);
      signal?.addEventListener('abort', stop);
      function done(): void {
        signal?.removeEventListener('abort', stop);
        resolve();
      }
      function stop(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        reject(signal?.reason);
      }
    }),
};

export interface Rest {
  /** Begun before a look at things, so that whoever wakes it meanwhile is heard. */
  rest(): Promise<void>;
  wake(): void;
}

/** Milliseconds; the jitter is how much shorter or longer it may be. */
export function createRest(ms: number, jitter = 0): Rest {
  let end: () => void = () => undefined;
  return {
    rest: () =>
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

export interface Rest {
  /** Begun before a look at things, so that whoever wakes it meanwhile is heard. */
  rest(): Promise<void>;
  wake(): void;
}

export function createRest(ms: number): Rest {
  let end: () => void = () => undefined;
  return {
    rest: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}

// For expensive reads that people make often: one at a time, with a pause after each, so that controllers are answered
// in between. Callers that ask for the same while it is queued share its answer.

/** The pause after a read, in relation to the read: reads take a quarter of the time at most. */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 1000;
/** After that the next read does not wait for this one. */
const MAX_WAIT_MS = 5000;

export type PacedReads = <T>(what: string, read: () => Promise<T>) => Promise<T>;

export function createPacedReads(): PacedReads {
  const waiting = new Map<string, Promise<unknown>>();
  let queued = Promise.resolve();

  async function readAfter<T>(
    before: Promise<void>,
    what: string,
    read: () => Promise<T>,
    end: () => void,
  ) {
    await before;
    waiting.delete(what);
    const began = performance.now();
    const limit = setTimeout(end, MAX_WAIT_MS).unref();
    try {
      return await read();
    } finally {
      clearTimeout(limit);
      setTimeout(end, Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * (performance.now() - began)));
    }
  }

  return <T>(what: string, read: () => Promise<T>) => {
    const same = waiting.get(what) as Promise<T> | undefined;
    if (same !== undefined) return same;
    const { promise, resolve } = Promise.withResolvers<void>();
    const answer = readAfter(queued, what, read, resolve);
    queued = promise;
    waiting.set(what, answer);
    return answer;
  };
}

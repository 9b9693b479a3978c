// Stops waiting for something external when its time is over, even if the other side never answers.

/**
 * Rejects with the reason of `closing`, or with `late`. The timer keeps this process alive, so that a
 * command that waits for nothing else gets its answer. Work that is still running then is aborted through
 * its signal.
 */
export async function withDeadline<T>(
  ms: number,
  closing: AbortSignal,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  closing.throwIfAborted();
  const ending = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    reject(reason);
    ending.abort(reason);
  };
  const close = () => end(closing.reason);
  const timer = setTimeout(() => end(late()), Math.max(1, ms));
  closing.addEventListener('abort', close, { once: true });
  try {
    return await Promise.race([work(ending.signal), ended]);
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', close);
    // Cleans up what an answer has left open: a connection, a body.
    ending.abort();
  }
}

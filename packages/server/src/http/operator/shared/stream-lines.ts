// An answer whose lines are made while they are sent. Making them may hold a connection of the store, so it stops
// when the caller disconnects, does not read, or may not read any more.
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { ApiError } from '../../api-error.ts';

const STALLED_MS = 60_000;
/** How long the answer of `mayRead` is reused. */
const ASKED_MS = 250;

export interface LineStreamOptions {
  /** Asked repeatedly while lines are sent; nothing is sent after it has answered no or failed. */
  readonly mayRead: () => Promise<boolean>;
  readonly stalledMs?: number;
}

export function streamLines(
  make: (write: (line: string | Uint8Array) => Promise<void>) => Promise<void>,
  { mayRead, stalledMs = STALLED_MS }: LineStreamOptions,
): Readable {
  let askedAt = performance.now();
  const lines = new PassThrough();
  const gone = new AbortController();
  lines.once('close', () => gone.abort());

  async function write(line: string | Uint8Array): Promise<void> {
    if (performance.now() - askedAt >= ASKED_MS) {
      if (!(await mayRead())) throw new Error('the caller may not read this any more');
      askedAt = performance.now();
    }
    gone.signal.throwIfAborted();
    if (lines.write(line)) return;
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(stalledMs)]);
    await once(lines, 'drain', { signal });
  }

  make(write).then(
    () => lines.end(),
    (error: unknown) => lines.destroy(error as Error),
  );
  return lines;
}

/** The same for at most `max` callers at once, so that slow readers leave connections for others. */
export function createLineStreams(max: number): typeof streamLines {
  const open = new Set<Readable>();
  return (make, options) => {
    if (open.size >= max) {
      throw new ApiError(429, 'Others are reading such a list now; try again later', {
        'retry-after': '10',
      });
    }
    const lines = streamLines(make, options);
    open.add(lines);
    lines.once('close', () => open.delete(lines));
    return lines;
  };
}

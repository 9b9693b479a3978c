// An answer whose lines are made while they are sent. Making them may hold a connection of the store, so it ends
// when the caller has gone, and when the caller does not read.
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { ApiError } from '../../api-error.ts';

const STALLED_MS = 60_000;

export function streamLines(
  make: (write: (line: string) => Promise<void>) => Promise<void>,
  stalledMs = STALLED_MS,
): Readable {
  const lines = new PassThrough();
  const gone = new AbortController();
  lines.once('close', () => gone.abort());

  async function write(line: string): Promise<void> {
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

/** The same for at most `max` callers at once, so that those who read slowly leave connections for everybody else. */
export function createLineStreams(max: number): typeof streamLines {
  const open = new Set<Readable>();
  return (make, stalledMs) => {
    if (open.size >= max) {
      throw new ApiError(429, 'Others are reading such a list now; try again later', {
        'retry-after': '10',
      });
    }
    const lines = streamLines(make, stalledMs);
    open.add(lines);
    lines.once('close', () => open.delete(lines));
    return lines;
  };
}

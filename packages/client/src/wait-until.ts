// Polls the status of a request without being a burden: requests take from seconds to thirty days.
import type { OpenDsrRequestStatus, OpenDsrStatus } from '@unwrite/protocol';
import type { Answer } from './answer.ts';
import type { Clock } from './clock.ts';
import { EndedOtherwiseError, ErasureError } from './errors.ts';

export interface WaitOptions {
  /** Ends the wait, such as `AbortSignal.timeout(3_600_000)`. */
  readonly signal?: AbortSignal;
  /** The first wait; each is one and a half times as long as the one before it. Default: 2,000 ms. */
  readonly minIntervalMs?: number;
  /** Default: 900,000 ms, a quarter of an hour. */
  readonly maxIntervalMs?: number;
  /** Called with every status that was read. */
  readonly onStatus?: (status: OpenDsrStatus) => void;
}

const GROWTH = 1.5;
const FINAL: readonly OpenDsrRequestStatus[] = ['completed', 'cancelled'];

export async function waitForStatus(
  read: (signal: AbortSignal | undefined) => Promise<Answer<OpenDsrStatus>>,
  subjectRequestId: string,
  wanted: readonly OpenDsrRequestStatus[],
  options: WaitOptions,
  clock: Clock,
): Promise<Answer<OpenDsrStatus>> {
  const { signal, minIntervalMs = 2000, maxIntervalMs = 900_000, onStatus } = options;
  for (let interval = minIntervalMs; ; interval = Math.min(interval * GROWTH, maxIntervalMs)) {
    const answer = await readOrWait(read, signal);
    if (answer !== undefined) {
      onStatus?.(answer.body);
      const { request_status: status } = answer.body;
      if (wanted.includes(status)) return answer;
      if (FINAL.includes(status)) {
        throw new EndedOtherwiseError(`the request is ${status}, and will not change any more`, {
          operation: 'status',
          subjectRequestId,
          reason: status,
        });
      }
    }
    // Many that were submitted together must not be asked for together.
    await clock.wait(Math.round(interval * (0.9 + Math.random() * 0.2)), signal);
  }
}

/** A processor that is away for a while must not end a wait of days. */
async function readOrWait(
  read: (signal: AbortSignal | undefined) => Promise<Answer<OpenDsrStatus>>,
  signal: AbortSignal | undefined,
): Promise<Answer<OpenDsrStatus> | undefined> {
  try {
    return await read(signal);
  } catch (error) {
    if (error instanceof ErasureError && error.isTemporary) return undefined;
    throw error;
  }
}

// Counts the bytes of requests that are not answered yet: before memory runs out, new requests are
// told to retry. No caller can take all of the memory: otherwise a caller that announces large bodies and does not
// send them would keep all others out.
import { networkOf } from '../../domain/network.ts';
import { ApiError } from '../api-error.ts';

export interface WaitingBytes {
  /** False if there is not enough room, or if this caller has its share. */
  take(caller: string, bytes: number): boolean;
  give(caller: string, bytes: number): void;
}

/** Copies of a body in memory: the body, the parsed value, the store's copy, and the answer that repeats it. */
export const BYTES_OF_A_BYTE = 4;
/** Memory for a request beside its body. */
export const BYTES_OF_A_REQUEST = 2048;
/**
 * A caller may use this many times what is left for the others: one caller gets at most four fifths, and many greedy
 * callers together still leave room for the small request of another.
 */
const TIMES_WHAT_IS_LEFT = 4;

export function createWaitingBytes(max: number): WaitingBytes {
  const taken = new Map<string, number>();
  let left = max;
  return {
    take(caller, bytes) {
      const its = (taken.get(caller) ?? 0) + bytes;
      if (its > (left - bytes) * TIMES_WHAT_IS_LEFT) return false;
      taken.set(caller, its);
      left -= bytes;
      return true;
    },
    give(caller, bytes) {
      const its = (taken.get(caller) ?? 0) - bytes;
      if (its > 0) taken.set(caller, its);
      else taken.delete(caller);
      left += bytes;
    },
  };
}

/** Names of callers: controllers and operators by name, callers without a token by their network. */
export const knownCaller = (name: string): string => `known ${name}`;
export const callerAt = (address: string): string => `at ${networkOf(address)}`;

export function noRoom(): ApiError {
  return new ApiError(
    503,
    'Too many requests are being processed, and this one was not read; send the same request again later',
    { 'retry-after': '1' },
  );
}

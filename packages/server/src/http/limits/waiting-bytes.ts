// Counts the bytes of requests that are not answered yet: before memory runs out, new requests are
// told to retry. No caller can take all of it: whoever announces large bodies and does not send them would
// otherwise keep everybody else out.
import { networkOf } from '../../domain/network.ts';
import { ApiError } from '../api-error.ts';

export interface WaitingBytes {
  /** False where there is no room for so much, or where this caller has its share. */
  take(caller: string, bytes: number): boolean;
  give(caller: string, bytes: number): void;
}

/** Of a body: itself, what it is read into, what is handed to the store, and the answer that repeats it. */
export const BYTES_OF_A_BYTE = 4;
/** Of a request, whatever it says. */
export const BYTES_OF_A_REQUEST = 2048;
/**
 * A caller may have so many times what is left for the others: one has at most four fifths of all, and however
 * many take as much as they can, there is room for the small request of another.
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

/** Callers as WaitingBytes tells them apart: those that we know, and the others by where they are. */
export const knownCaller = (name: string): string => `known ${name}`;
export const callerAt = (address: string): string => `at ${networkOf(address)}`;

export function noRoom(): ApiError {
  return new ApiError(
    503,
    'Too many requests are being processed, and this one was not read; send the same request again later',
    { 'retry-after': '1' },
  );
}

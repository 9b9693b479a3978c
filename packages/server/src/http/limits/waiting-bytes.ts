// Counts the bytes of requests that are not answered yet: before memory runs out, new requests are
// told to retry.
import { ApiError } from '../api-error.ts';

export interface WaitingBytes {
  /** False if there is not enough room. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Copies of a body in memory: the body, the parsed value, the store's copy, and the answer that repeats it. */
export const BYTES_OF_A_BYTE = 4;
/** Memory for a request beside its body. */
export const BYTES_OF_A_REQUEST = 2048;

export function createWaitingBytes(max: number): WaitingBytes {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > max) return false;
      taken += bytes;
      return true;
    },
    give(bytes) {
      taken -= bytes;
    },
  };
}

export function noRoom(): ApiError {
  return new ApiError(
    503,
    'Too many requests are being processed, and this one was not read; send the same request again later',
    { 'retry-after': '1' },
  );
}

// Reads a body up to its limit. A body slightly over the limit is read to its end and discarded, so that the
// sender can read the 413; a much larger one is cut off.
import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from '@unwrite/protocol';
import { ApiError } from './api-error.ts';
import { growBytes } from './growing-bytes.ts';
import { noRoom } from './limits/waiting-bytes.ts';

const CUT_BEYOND_BYTES = 1_048_576;
/** Each chunk costs 3 µs regardless of its size: beyond this number, chunks must have a minimum average size. */
const FREE_PIECES = 4096;
const MIN_BYTES_A_PIECE = 8;

export function readBody(
  stream: IncomingMessage,
  done: (error: Error | null, body?: Buffer) => void,
  /** Reserves memory as the body arrives, unless it is limited in another way. */
  takeRoom: (bytes: number) => boolean = () => true,
): void {
  const declared = Number(stream.headers['content-length'] ?? 0);
  if (declared > CUT_BEYOND_BYTES) {
    done(tooLarge());
    return;
  }
  let bytes: Buffer | undefined;
  let size = 0;
  let pieces = 0;
  let isFinished = false;

  // A request's stream is read once, so its listeners need not be removed.
  function finish(error: Error | null): void {
    if (isFinished) return;
    isFinished = true;
    if (error !== null) done(error);
    else done(null, bytes === undefined ? Buffer.alloc(0) : bytes.subarray(0, size));
  }
  function onData(chunk: Buffer): void {
    if (isFinished) return;
    const before = size;
    size += chunk.length;
    pieces++;
    if (pieces > FREE_PIECES && size < pieces * MIN_BYTES_A_PIECE) finish(tooManyPieces());
    else if (!takeRoom(chunk.length)) finish(noRoom());
    else if (size <= MAX_BODY_BYTES) bytes = growBytes(bytes, before, chunk, MAX_BODY_BYTES);
    else if (size > CUT_BEYOND_BYTES) finish(tooLarge());
    else bytes = undefined;
  }
  function onEnd(): void {
    finish(size > MAX_BODY_BYTES ? tooLarge() : null);
  }
  function onBroken(): void {
    // Checked first, because every stream closes in the end and creating an error costs a stack trace.
    if (!isFinished)
      finish(new ApiError(400, 'The body ended before it was complete', { connection: 'close' }));
  }
  stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
}

function tooManyPieces(): ApiError {
  const message = 'The body has too many small chunks; send chunks of at least 16 bytes';
  return new ApiError(400, message, { connection: 'close' });
}

function tooLarge(): ApiError {
  const message = `The body is too large: at most ${MAX_BODY_BYTES} bytes`;
  return new ApiError(413, message, { connection: 'close' });
}

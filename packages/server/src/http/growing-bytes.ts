// What arrives in pieces is copied into one buffer. Kept apart, pieces of one byte each would cost 300 times
// what they hold.

const FIRST_BYTES = 4096;

/**
 * The first chunk is used without copying, because nearly every body is one; from the second on, a buffer with
 * room for more.
 */
export function growBytes(
  held: Buffer | undefined,
  size: number,
  piece: Buffer,
  max: number,
): Buffer {
  if (held === undefined) return piece;
  const needed = size + piece.length;
  let room = held;
  // The first piece is a slice of the socket's buffer: the bytes after it must not be overwritten.
  if (size === held.length || needed > held.length) {
    room = Buffer.allocUnsafe(Math.min(max, Math.max(FIRST_BYTES, needed * 2)));
    held.copy(room, 0, 0, size);
  }
  piece.copy(room, size);
  return room;
}

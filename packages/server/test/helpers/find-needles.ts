/** Which of the needles are in the bytes, in one pass: `includes` for each of thousands reads them thousands of times. */
export function findNeedles(bytes: Buffer, needles: readonly Uint8Array[]): Set<Uint8Array> {
  const byStart = Map.groupBy(needles, (needle) => Buffer.from(needle).readUInt32BE(0));
  const found = new Set<Uint8Array>();
  let start = 0;
  for (const [end, byte] of bytes.entries()) {
    start = ((start << 8) | byte) >>> 0;
    for (const needle of byStart.get(start) ?? []) {
      const at = end - 3;
      if (bytes.subarray(at, at + needle.length).equals(needle)) found.add(needle);
    }
  }
  return found;
}

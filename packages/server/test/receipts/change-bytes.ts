/** The nearest ones (in base64 they may decode to the same), a case, a blank, a digit, a quote. */
export function changesOf(byte: number): number[] {
  const all = [byte ^ 1, byte ^ 2, byte ^ 4, byte ^ 0x20, 0x20, 0x30, 0x22, 0x0a];
  return all.filter((to) => to !== byte);
}

export function withByte(document: string, at: number, to: number): Buffer {
  const bytes = Buffer.from(document);
  bytes[at] = to;
  return bytes;
}

export function withoutByte(bytes: Buffer, at: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
}

export function withByteTwice(bytes: Buffer, at: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)]);
}

// Writes ASN.1 in DER (X.690), as much of it as certificates need: Node reads X.509, but does not write it.

export function der(tag: number, content: Uint8Array | readonly number[]): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(bytes.length)]), bytes]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

export const integer = (bytes: Uint8Array | readonly number[]): Buffer => der(0x02, bytes);
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.concat([Buffer.of(0), bytes]));
export const NULL = der(0x05, []);
export const TRUE = der(0x01, [0xff]);

/** `[n]`, of something that consists of parts. */
export const tagged = (n: number, content: Uint8Array): Buffer => der(0xa0 | n, content);

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const digits = (value: number): number[] =>
    value < 128 ? [value] : [...digits(value >> 7).map((it) => it | 0x80), value & 127];
  return der(0x06, [first * 40 + second, ...rest.flatMap(digits)]);
}

/** RFC 5280 4.1.2.5: years from 2050 on have four digits. */
export function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return text < '2050' ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

export function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replaceAll(/(.{64})/g, '$1\n');
  return `-----BEGIN ${label}-----\n${lines.trimEnd()}\n-----END ${label}-----\n`;
}

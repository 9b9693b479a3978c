// The parts of a certificate that Node does not show: its extensions, the algorithm of its signature, the size of its key.
// Only the structure is read; Node has parsed the certificate before.

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

export interface Extension {
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

export interface CertificateParts {
  /** Hexadecimal, as is the id of an extension: the bytes of the object identifier. */
  readonly signatureAlgorithm: string;
  /** Of an RSA key; undefined for others. */
  readonly rsaBits: number | undefined;
  readonly extensions: readonly Extension[];
}

const [SEQUENCE, OBJECT_ID, BOOLEAN, VERSION, EXTENSIONS] = [0x30, 0x06, 0x01, 0xa0, 0xa3];
const RSA = '2a864886f70d010101';

export function partsOf(der: Uint8Array): CertificateParts {
  const [body, algorithm] = elementsOf(elementsOf(der)[0]?.content);
  const members = elementsOf(body?.content).filter(({ tag }) => tag !== VERSION);
  const wrapper = members.find(({ tag }) => tag === EXTENSIONS);
  const list = elementsOf(wrapper?.content)[0]?.content;
  return {
    signatureAlgorithm: idIn(elementsOf(algorithm?.content)),
    // After serial number, algorithm, issuer, validity and subject.
    rsaBits: rsaBitsOf(elementsOf(members[5]?.content)),
    extensions: elementsOf(list).map(({ content }) => {
      const parts = elementsOf(content);
      const critical = parts.find(({ tag }) => tag === BOOLEAN);
      return {
        id: idIn(parts),
        isCritical: critical !== undefined && critical.content[0] !== 0,
        value: parts.at(-1)?.content ?? new Uint8Array(),
      };
    }),
  };
}

/** The key is a BIT STRING, which begins with the number of unused bits: SEQUENCE { INTEGER modulus, INTEGER exponent }. */
function rsaBitsOf([algorithm, key]: readonly Element[]): number | undefined {
  if (idIn(elementsOf(algorithm?.content)) !== RSA) return undefined;
  const [modulus] = elementsOf(elementsOf(key?.content.subarray(1))[0]?.content);
  const bytes = modulus?.content ?? new Uint8Array();
  return 8 * (bytes[0] === 0 ? bytes.length - 1 : bytes.length);
}

/** How many certificates of authorities may follow in the chain; undefined: any number. */
export function maxPathLength(value: Uint8Array): number | undefined {
  const [isAuthority, length] = elementsOf(elementsOf(value)[0]?.content);
  return isAuthority?.tag === BOOLEAN ? length?.content[0] : undefined;
}

export function isAuthority(value: Uint8Array): boolean {
  const [first] = elementsOf(elementsOf(value)[0]?.content);
  return first?.tag === BOOLEAN && first.content[0] !== 0;
}

/** Bits of key usage, the first in the highest bit of the first byte. */
export function mayUse(value: Uint8Array, bit: 'digitalSignature' | 'keyCertSign'): boolean {
  const [, bits = 0] = elementsOf(value)[0]?.content ?? [];
  return (bits & (bit === 'digitalSignature' ? 0x80 : 0x04)) !== 0;
}

const idIn = (elements: readonly Element[]) =>
  Array.from(elements.find(({ tag }) => tag === OBJECT_ID)?.content ?? [], (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

function elementsOf(bytes: Uint8Array = new Uint8Array()): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at] ?? SEQUENCE;
    const first = bytes[at + 1] ?? 0;
    const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
    let length = sizeBytes === 0 ? first : 0;
    for (const byte of bytes.subarray(at + 2, at + 2 + sizeBytes)) length = length * 256 + byte;
    const start = at + 2 + sizeBytes;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

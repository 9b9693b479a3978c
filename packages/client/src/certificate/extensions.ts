// The parts of a certificate that Node does not show: its extensions and the algorithm of its signature. Only the
// structure is read; Node has parsed the certificate before.

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
  readonly extensions: readonly Extension[];
}

export const EXTENSION = {
  keyUsage: '551d0f',
  alternativeName: '551d11',
  basicConstraints: '551d13',
  nameConstraints: '551d1e',
  certificatePolicies: '551d20',
  policyMappings: '551d21',
  extendedKeyUsage: '551d25',
} as const;

const [SEQUENCE, OBJECT_ID, BOOLEAN, EXTENSIONS] = [0x30, 0x06, 0x01, 0xa3];

export function partsOf(der: Uint8Array): CertificateParts {
  const [body, algorithm] = elementsOf(elementsOf(der)[0]?.content);
  const wrapper = elementsOf(body?.content).find(({ tag }) => tag === EXTENSIONS);
  const list = elementsOf(wrapper?.content)[0]?.content;
  return {
    signatureAlgorithm: idIn(elementsOf(algorithm?.content)),
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

/** How many certificates of authorities may follow in the chain; undefined: any number. */
export function maxPathLength(value: Uint8Array): number | undefined {
  const [isAuthority, length] = elementsOf(elementsOf(value)[0]?.content);
  return isAuthority?.tag === BOOLEAN ? length?.content[0] : undefined;
}

/** Bits of key usage, the first in the highest bit of the first byte. */
export function mayUse(value: Uint8Array, bit: 'digitalSignature' | 'keyCertSign'): boolean {
  const [, bits = 0] = elementsOf(value)[0]?.content ?? [];
  return (bits & (bit === 'digitalSignature' ? 0x80 : 0x04)) !== 0;
}

const idIn = (elements: readonly Element[]) =>
  Buffer.from(elements.find(({ tag }) => tag === OBJECT_ID)?.content ?? []).toString('hex');

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

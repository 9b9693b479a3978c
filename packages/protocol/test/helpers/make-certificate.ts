// Certificates for tests, made on the spot, with whatever a test needs in them: Node reads X.509 but does not write it.
import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

export interface TestCertificate {
  readonly pem: string;
  readonly name: string;
  readonly key: KeyObject;
}

export interface CertificateOptions {
  readonly commonName?: string | null;
  /** DNS names. */
  readonly names?: readonly string[];
  readonly isAuthority?: boolean;
  readonly maxPathLength?: number;
  /** The bits of key usage, such as 0x80 for digital signatures and 0x04 for certificates. */
  readonly keyUsage?: number;
  /** Further extensions by their object identifiers. */
  readonly critical?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly digest?: 'sha256' | 'sha1';
  /** Default: a new P-256 key. */
  readonly key?: KeyObject;
}

const DAY = 86_400_000;
const ALGORITHMS = {
  'ec sha256': sequence(oid('1.2.840.10045.4.3.2')),
  'ec sha1': sequence(oid('1.2.840.10045.4.1')),
  'rsa sha256': sequence(oid('1.2.840.113549.1.1.11'), der(0x05, [])),
  'rsa sha1': sequence(oid('1.2.840.113549.1.1.5'), der(0x05, [])),
};

/** By itself, where no issuer is given. */
export function makeCertificate(
  options: CertificateOptions,
  issuer?: TestCertificate,
): TestCertificate {
  const key = options.key ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const name = options.commonName === undefined ? (options.names?.[0] ?? '') : options.commonName;
  const signing = issuer?.key ?? key;
  const digest = options.digest ?? 'sha256';
  const kind = `${signing.asymmetricKeyType} ${digest}` as keyof typeof ALGORITHMS;
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ALGORITHMS[kind],
    nameOf(issuer?.name ?? name ?? ''),
    sequence(timeOf(options.from ?? Date.now() - DAY), timeOf(options.to ?? Date.now() + DAY)),
    nameOf(name),
    createPublicKey(key as never).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensionsOf(options))),
  );
  const signature = sign(digest, body, signing);
  const whole = sequence(
    body,
    ALGORITHMS[kind],
    der(0x03, Buffer.concat([Buffer.of(0), signature])),
  );
  return { pem: pemOf(whole), name: name ?? '', key };
}

function extensionsOf(options: CertificateOptions): Buffer[] {
  const { names = [], isAuthority = false, maxPathLength, keyUsage, critical = [] } = options;
  const limit = maxPathLength === undefined ? [] : [der(0x02, [maxPathLength])];
  return [
    extension('2.5.29.19', true, isAuthority ? sequence(der(0x01, [0xff]), ...limit) : sequence()),
    ...(keyUsage === undefined ? [] : [extension('2.5.29.15', true, der(0x03, [0, keyUsage]))]),
    ...(names.length === 0
      ? []
      : [
          extension(
            '2.5.29.17',
            false,
            sequence(...names.map((name) => der(0x82, Buffer.from(name)))),
          ),
        ]),
    ...critical.map((id) => extension(id, true, sequence())),
  ];
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der(0x01, [0xff])] : [];
  return sequence(oid(id), ...critical, der(0x04, value));
}

function nameOf(name: string | null): Buffer {
  if (name === null) return sequence();
  return sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))));
}

function der(tag: number, content: Uint8Array | readonly number[]): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  const { length } = bytes;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const digits = (value: number): number[] => {
    const low = value & 127;
    return value < 128 ? [low] : [...digits(Math.floor(value / 128)).map((it) => it | 0x80), low];
  };
  return der(0x06, [first * 40 + second, ...rest.flatMap(digits)]);
}

function timeOf(time: number): Buffer {
  const text = new Date(time)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(2);
  return der(0x17, Buffer.from(text));
}

function pemOf(bytes: Buffer): string {
  const lines = bytes.toString('base64').replaceAll(/(.{64})/g, '$1\n');
  return `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`;
}

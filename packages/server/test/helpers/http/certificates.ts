// Certificates for tests, made on the spot: an authority, and those that it signs. Node reads X.509 but does
// not write it, and a program that does is not on every machine.
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

export interface Authority extends Certificate {
  /** For a server of that host name, or a client of that user name; valid a day before and after now, or that time. */
  issue(name: string, time?: number): Certificate;
}

const DAY = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const COMMON_NAME = oid('2.5.4.3');
const BASIC_CONSTRAINTS = oid('2.5.29.19');
const ALTERNATIVE_NAME = oid('2.5.29.17');

export function makeAuthority(name: string): Authority {
  const authority = make(name, undefined);
  return {
    ...authority,
    issue: (subject, time) => make(subject, { name, key: authority.key }, time),
  };
}

function make(
  name: string,
  issuer: { readonly name: string; readonly key: string } | undefined,
  time = Date.now(),
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signing = issuer === undefined ? privateKey : createPrivateKey(issuer.key);
  const extensions =
    issuer === undefined
      ? sequence(BASIC_CONSTRAINTS, der(0x01, [0xff]), der(0x04, sequence(der(0x01, [0xff]))))
      : sequence(ALTERNATIVE_NAME, der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    // Positive, whatever the first bit would be.
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer?.name ?? name),
    sequence(timeOf(time - DAY), timeOf(time + DAY)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  );
  const signature = sign('sha256', body, signing as KeyObject);
  const whole = sequence(
    body,
    ECDSA_WITH_SHA256,
    der(0x03, Buffer.concat([Buffer.of(0), signature])),
  );
  return {
    certificate: pem('CERTIFICATE', whole),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
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
  const digits = (value: number): number[] =>
    value < 128 ? [value] : [...digits(value >> 7).map((it) => it | 0x80), value & 127];
  return der(0x06, [first * 40 + second, ...rest.flatMap(digits)]);
}

function nameOf(name: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
}

function timeOf(time: number): Buffer {
  const text = new Date(time)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(2);
  return der(0x17, Buffer.from(text));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replaceAll(/(.{64})/g, '$1\n');
  return `-----BEGIN ${label}-----\n${lines.trimEnd()}\n-----END ${label}-----\n`;
}

// Makes signing requests (RFC 2986) and certificates (RFC 5280) for the processor's domain.
import {
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import {
  bits,
  der,
  integer,
  NULL,
  octets,
  oid,
  pem,
  sequence,
  set,
  TRUE,
  tagged,
  time,
  utf8,
} from './der.ts';

export const KEY_TYPES = ['rsa', 'p-256'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
const RSA_WITH_SHA256 = sequence(oid('1.2.840.113549.1.1.11'), NULL);
const COMMON_NAME = oid('2.5.4.3');
const ALTERNATIVE_NAME = oid('2.5.29.17');
const BASIC_CONSTRAINTS = oid('2.5.29.19');
const EXTENSION_REQUEST = oid('1.2.840.113549.1.9.14');

/** RFC 5280, ub-common-name: a longer domain is named as a subject alternative name alone. */
const MAX_COMMON_NAME = 64;

export function makeKey(type: KeyType): KeyObject {
  return type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

export function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function makeSigningRequest(key: KeyObject, domain: string): string {
  const body = sequence(
    integer([0]),
    nameOf(domain),
    publicKeyOf(key),
    tagged(0, sequence(EXTENSION_REQUEST, set(sequence(alternativeName([domain]))))),
  );
  return pem('CERTIFICATE REQUEST', signed(body, key));
}

export interface CertificateSubject {
  readonly key: KeyObject;
  /** Common name; undefined leaves it out. */
  readonly commonName: string | undefined;
  /** Subject alternative names; empty for an authority. */
  readonly domains: readonly string[];
  readonly validFrom: number;
  readonly validTo: number;
}

export interface Issuer {
  readonly key: KeyObject;
  readonly commonName: string | undefined;
}

/** Self-signed if the issuer is the subject itself. */
export function makeCertificate(subject: CertificateSubject, issuer: Issuer = subject): string {
  const extension =
    subject.domains.length === 0
      ? sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE)))
      : alternativeName(subject.domains);
  const body = sequence(
    tagged(0, integer([2])),
    // Positive, whatever the first bit would be.
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithmOf(issuer.key),
    nameOf(issuer.commonName),
    sequence(time(subject.validFrom), time(subject.validTo)),
    nameOf(subject.commonName),
    publicKeyOf(subject.key),
    tagged(3, sequence(extension)),
  );
  return pem('CERTIFICATE', signed(body, issuer.key));
}

function signed(body: Buffer, key: KeyObject): Buffer {
  return sequence(body, algorithmOf(key), bits(sign('sha256', body, key)));
}

function algorithmOf(key: KeyObject): Buffer {
  return key.asymmetricKeyType === 'rsa' ? RSA_WITH_SHA256 : ECDSA_WITH_SHA256;
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

function nameOf(commonName: string | undefined): Buffer {
  if (commonName === undefined || commonName.length > MAX_COMMON_NAME) return sequence();
  return sequence(set(sequence(COMMON_NAME, utf8(commonName))));
}

function alternativeName(domains: readonly string[]): Buffer {
  const names = domains.map((domain) => der(0x82, Buffer.from(domain)));
  return sequence(ALTERNATIVE_NAME, octets(sequence(...names)));
}

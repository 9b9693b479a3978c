// Reads and checks the processor's certificate and its key. What a controller would refuse is refused here.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { problemOfAuthority, problemOfSigner } from '@unwrite/protocol';
import { CertificateProblem } from './certificate-problem.ts';

export interface CertificateText {
  /** PEM: leaf first. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

export interface ProcessorCertificate {
  readonly key: KeyObject;
  /** Leaf first, the whole chain that was given, and nothing else of the file. */
  readonly pem: string;
  readonly subject: string;
  /** Of the leaf; names the certificate in alarms and in the log. */
  readonly fingerprint: string;
  readonly validFrom: number;
  readonly validTo: number;
}

const MIN_RSA_BITS = 2048;
const BEGIN = '-----BEGIN CERTIFICATE-----';
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

export function readCertificate(text: CertificateText, domain: string): ProcessorCertificate {
  const chain = readChain(text.certificate);
  const [leaf] = chain;
  const key = readKey(text.key);
  requireKeyKind(key);
  if (!leaf.checkPrivateKey(key)) {
    throw new CertificateProblem(
      'processor_key is not the key of processor_certificate; the certificate of this service must be the first one in its file',
    );
  }
  requireOrder(chain);
  requireAccepted(chain);
  requireDomain(leaf, domain);
  return {
    key,
    // Written anew: the file may also hold the key.
    pem: chain.map(String).join(''),
    // Authorities leave the subject empty more and more often.
    subject: leaf.subject?.replaceAll('\n', ', ') || domain,
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    validFrom: leaf.validFromDate.getTime(),
    validTo: leaf.validToDate.getTime(),
  };
}

function readChain(text: string): [X509Certificate, ...X509Certificate[]] {
  try {
    const [leaf, ...above] = (text.match(BLOCK) ?? []).map((block) => new X509Certificate(block));
    // Of a file that is half written, the beginning may be whole.
    const isWhole = text.split(BEGIN).length === above.length + 2;
    if (leaf !== undefined && isWhole) return [leaf, ...above];
  } catch {
    // OpenSSL's own words name no setting.
  }
  throw new CertificateProblem(
    'processor_certificate must be a certificate with its chain, in PEM',
  );
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateProblem('processor_key must be a key without a passphrase, in PEM');
  }
}

/** Controllers verify PKCS#1 v1.5 and ECDSA on P-256, nothing else. */
function requireKeyKind({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_RSA_BITS) return;
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return;
  throw new CertificateProblem(
    `processor_key must be an RSA key of ${MIN_RSA_BITS} bits or more, or a P-256 key`,
  );
}

function requireOrder(chain: readonly X509Certificate[]): void {
  const broken = chain.findIndex((certificate, n) => {
    const next = chain[n + 1];
    return next !== undefined && !certificate.checkIssued(next);
  });
  if (broken < 0) return;
  throw new CertificateProblem(
    `processor_certificate: certificate ${broken + 2} did not issue certificate ${broken + 1}; each must be followed by its issuer`,
  );
}

/** By what verifies, which is the same rule. A root needs none: it is trusted for being on a list. */
function requireAccepted(chain: readonly X509Certificate[]): void {
  for (const [n, certificate] of chain.entries()) {
    if (n > 0 && certificate.checkIssued(certificate)) continue;
    const problem =
      n === 0 ? problemOfSigner(certificate.raw) : problemOfAuthority(certificate.raw, n - 1);
    if (problem === undefined) continue;
    throw new CertificateProblem(
      `processor_certificate: certificate ${n + 1} ${problem}, so controllers would refuse it; request another one`,
    );
  }
}

/** OpenDSR 4.1: the header names a SAN. Some controllers compare it with the subject's CN instead: both must agree. */
function requireDomain(leaf: X509Certificate, domain: string): void {
  if (leaf.checkHost(domain, { subject: 'never', wildcards: false }) === undefined) {
    throw new CertificateProblem(
      `processor_certificate is not for ${domain}: its subject alternative names are ${leaf.subjectAltName ?? 'missing'}; set domain to one of them, or request a certificate for ${domain}`,
    );
  }
  // A list, where the subject has several.
  const names = [leaf.toLegacyObject().subject.CN ?? []].flat();
  const other = names.find((name) => name !== domain);
  if (other !== undefined) {
    throw new CertificateProblem(
      `processor_certificate names ${other} as the common name of its subject, and domain is ${domain}: some controllers compare the two; set domain to ${other}, or request a certificate for ${domain}`,
    );
  }
}

import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';
import { NotVerifiedError } from '../verify/not-verified.ts';
import { importPublicKey, type PublicKey } from '../verify/public-key.ts';
import { requireChain } from './chain.ts';

export interface CertificateRules {
  /** The domain that it must be for: `X-OpenDSR-Processor-Domain`. */
  readonly domain: string;
  /** In PEM. Default: those that Node trusts for https in this process. */
  readonly roots?: readonly string[];
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

export interface CheckedCertificate {
  readonly publicKey: PublicKey;
  /** Milliseconds since 1970. */
  readonly validTo: number;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** `pem`: the certificate, followed by those of the authorities between it and a root. Throws NotVerifiedError. */
export async function checkCertificate(
  pem: string,
  rules: CertificateRules,
): Promise<CheckedCertificate> {
  const [leaf, ...others] = (pem.match(PEM) ?? []).map(readCertificate);
  if (leaf === undefined) throw new NotVerifiedError('there is no certificate (PEM)');
  const now = (rules.now ?? Date.now)();
  if (!isFor(leaf, rules.domain)) {
    throw new NotVerifiedError(`the certificate is not for ${rules.domain}`);
  }
  requireChain(leaf, others, rootsOf(rules.roots), now);
  const publicKey = await importPublicKey(leaf.publicKey.export({ type: 'spki', format: 'der' }));
  return { publicKey, validTo: Date.parse(leaf.validTo) };
}

/** By its alternative names; by its common name only if it has no alternative names for hosts. */
function isFor(leaf: X509Certificate, domain: string): boolean {
  const hasNames = leaf.subjectAltName?.includes('DNS:') ?? false;
  if (hasNames) return leaf.checkHost(domain, { subject: 'never' }) !== undefined;
  const names = [...(leaf.subject ?? '').matchAll(/^CN=(.+)$/gm)].map(([, name = '']) => name);
  return names.length === 1 && names[0]?.toLowerCase() === domain.toLowerCase();
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new NotVerifiedError('the certificate cannot be read: it is damaged');
  }
}

let systemRoots: readonly X509Certificate[] | undefined;

function rootsOf(given: readonly string[] | undefined): readonly X509Certificate[] {
  if (given !== undefined) return given.flatMap((it) => (it.match(PEM) ?? []).map(readCertificate));
  // Node 22.15 and newer know those that were added by NODE_EXTRA_CA_CERTS and --use-system-ca.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  systemRoots ??= (getCACertificates?.('default') ?? tls.rootCertificates).map(
    (pem) => new X509Certificate(pem),
  );
  return systemRoots;
}

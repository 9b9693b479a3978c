// For `verify` of the client, and for callbacks of any processor, where the key comes in a certificate.
import type { SignedAnswer } from '../answer.ts';
import { readSigned, wrongSignature } from '../verify/answer-verifier.ts';
import { NotVerifiedError } from '../verify/not-verified.ts';
import { verifySignature } from '../verify/signature.ts';
import { type CheckedCertificate, checkCertificate } from './check-certificate.ts';
import { fetchCertificate } from './fetch-certificate.ts';

export interface CertificateVerifierOptions {
  /**
   * The domains that are accepted, and where the certificate of each is: an address that begins with https (from
   * `processor_certificate` of its discovery), or the certificate itself in PEM.
   */
  readonly processors: Readonly<Record<string, string>>;
  /** In PEM. Default: those that Node trusts for https in this process. */
  readonly roots?: readonly string[];
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** How long a certificate is used before it is fetched again. Default: an hour. */
  readonly cacheMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

interface Cached {
  readonly certificate: Promise<CheckedCertificate>;
  readonly time: number;
}

/** A wrong signature makes us look for a new certificate, but not more often: anyone can send a wrong signature. */
const MIN_AGE_MS = 60_000;

/** Rejects with NotVerifiedError unless the answer is of one of the domains and signed with its certificate. */
export function createCertificateVerifier(
  options: CertificateVerifierOptions,
): (answer: SignedAnswer) => Promise<void> {
  const { now = Date.now, cacheMs = 3_600_000, roots } = options;
  const sources = new Map(
    Object.entries(options.processors).map(([domain, source]) => [domain.toLowerCase(), source]),
  );
  const cache = new Map<string, Cached>();

  async function load(domain: string, source: string): Promise<CheckedCertificate> {
    const isPem = source.includes('-----BEGIN CERTIFICATE-----');
    const pem = isPem
      ? source
      : await fetchCertificate(source, options.fetch === undefined ? {} : { fetch: options.fetch });
    return checkCertificate(pem, { domain, now, ...(roots !== undefined && { roots }) });
  }

  /** Calls that come meanwhile share one fetch. If it fails, the certificate that is known is used until it expires. */
  function certificateOf(
    domain: string,
    source: string,
    maxAgeMs: number,
  ): Promise<CheckedCertificate> {
    const cached = cache.get(domain);
    if (cached !== undefined && now() - cached.time < maxAgeMs) return cached.certificate;
    const loaded = load(domain, source);
    const certificate = cached === undefined ? loaded : loaded.catch(() => cached.certificate);
    cache.set(domain, { certificate, time: now() });
    certificate.catch(() => cache.delete(domain));
    return certificate;
  }

  async function isSigned(
    answer: SignedAnswer,
    signature: string,
    domain: string,
    maxAgeMs: number,
  ) {
    const source = sources.get(domain) ?? '';
    let certificate = await certificateOf(domain, source, maxAgeMs);
    // It was renewed in time, or what is fetched now is refused.
    if (certificate.validTo < now()) {
      cache.delete(domain);
      certificate = await certificateOf(domain, source, maxAgeMs);
    }
    return verifySignature(answer.bytes, signature, certificate.publicKey);
  }

  return async (answer) => {
    const { domain, signature } = readSigned(answer);
    if (!sources.has(domain)) {
      throw new NotVerifiedError('its domain is not one of those that are accepted');
    }
    const verified =
      (await isSigned(answer, signature, domain, cacheMs)) ||
      (await isSigned(answer, signature, domain, Math.min(MIN_AGE_MS, cacheMs)));
    if (!verified) throw wrongSignature();
  };
}

// The certificate that discovery names: fetched, looked at, and verified.
import { X509Certificate } from 'node:crypto';
import { NotVerifiedError, type PublicKey } from '@unwrite/client';
import { checkCertificate } from '@unwrite/client/node';
import type { Exchange } from './exchange.ts';
import { NotApplicable, Violation } from './findings.ts';

export interface SigningCertificate {
  readonly url: URL;
  /** The first certificate; undefined where what was fetched is none. */
  readonly leaf: X509Certificate | undefined;
  /** For a domain: the key, or why it is not trusted. */
  verify(domain: string): Promise<PublicKey | string>;
}

const MAX_BYTES = 65_536;
const TIMEOUT_MS = 10_000;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export async function loadCertificate(
  discovery: Exchange,
  roots: readonly string[] | undefined,
  now: () => number,
): Promise<SigningCertificate> {
  const address = discovery.json?.processor_certificate;
  if (typeof address !== 'string' || !URL.canParse(address)) {
    throw new NotApplicable('discovery names no certificate');
  }
  const url = new URL(address);
  if (url.protocol !== 'https:' && !LOOPBACK.test(url.hostname)) {
    throw new Violation('processor_certificate must begin with https:', discovery);
  }
  const pem = await fetchText(url, discovery);
  return {
    url,
    leaf: leafIn(pem),
    async verify(domain) {
      try {
        const rules = { domain, now, ...(roots !== undefined && { roots }) };
        return (await checkCertificate(pem, rules)).publicKey;
      } catch (error) {
        if (error instanceof NotVerifiedError) return error.message;
        throw error;
      }
    },
  };
}

async function fetchText(url: URL, discovery: Exchange): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
  if (answer?.status !== 200) {
    throw new Violation(
      `processor_certificate cannot be downloaded (${answer?.status ?? 'no answer'})`,
      discovery,
    );
  }
  const text = await answer.text();
  if (text.length > MAX_BYTES) throw new Violation('the certificate is too large', discovery);
  return text;
}

function leafIn(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

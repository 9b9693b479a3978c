// Certificates for tests, made on the spot: an authority, and those that it signs.
import {
  type KeyType,
  keyPem,
  makeCertificate,
  makeKey,
} from '../../../src/certificate/make-certificate.ts';

export interface Certificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

export interface Issued {
  /** The name if left out; null leaves it out. */
  readonly commonName?: string | null;
  /** Subject alternative names; the name if left out. */
  readonly domains?: readonly string[];
  readonly keyType?: KeyType;
  readonly validFrom?: number;
  readonly validTo?: number;
}

export interface Authority extends Certificate {
  /** For a server of that host name, or a client of that user name; valid a day before and after now, or that time. */
  issue(name: string, time?: number, details?: Issued): Certificate;
}

const DAY = 86_400_000;

export function makeAuthority(name: string): Authority {
  const key = makeKey('p-256');
  const now = Date.now();
  const validity = { validFrom: now - DAY, validTo: now + DAY };
  return {
    certificate: makeCertificate({ key, commonName: name, domains: [], ...validity }),
    key: keyPem(key),
    issue(subject, time = Date.now(), details = {}) {
      const { keyType = 'p-256', domains = [subject], commonName = subject } = details;
      const own = makeKey(keyType);
      const of = {
        key: own,
        commonName: commonName ?? undefined,
        domains,
        validFrom: details.validFrom ?? time - DAY,
        validTo: details.validTo ?? time + DAY,
      };
      return { certificate: makeCertificate(of, { key, commonName: name }), key: keyPem(own) };
    },
  };
}

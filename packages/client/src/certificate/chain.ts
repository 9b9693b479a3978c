// The way from a certificate to a root that this machine trusts. Node has no function for it, and shows neither
// constraints nor unknown critical extensions, so what is not understood here is refused.
import type { X509Certificate } from 'node:crypto';
import { NotVerifiedError } from '../verify/not-verified.ts';
import { EXTENSION, maxPathLength, mayUse, partsOf } from './extensions.ts';

/** Between the certificate and a root. */
const MAX_CERTIFICATES = 8;
const MIN_RSA_BITS = 2048;

/** SHA-256 and longer, with RSA (also PSS) and ECDSA, and Ed25519. */
const SIGNATURE_ALGORITHMS = new Set([
  '2a864886f70d01010a',
  '2a864886f70d01010b',
  '2a864886f70d01010c',
  '2a864886f70d01010d',
  '2a8648ce3d040302',
  '2a8648ce3d040303',
  '2a8648ce3d040304',
  '2b6570',
]);

const UNDERSTOOD = new Set<string>([
  EXTENSION.keyUsage,
  EXTENSION.alternativeName,
  EXTENSION.basicConstraints,
  EXTENSION.certificatePolicies,
  EXTENSION.extendedKeyUsage,
]);

/** Throws NotVerifiedError unless one of the roots has signed it, directly or by way of the others given. */
export function requireChain(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: number,
): void {
  requireUsable(leaf, now);
  let problem: string | undefined;
  // The shortest ways first, and each certificate once: a longer way to it leads no further.
  const reached = [{ certificate: leaf, below: 0 }];
  const left = new Map(others.map((it) => [it.fingerprint256, it]));
  for (const { certificate, below } of reached) {
    for (const root of roots) {
      if (!isIssuedBy(certificate, root)) continue;
      // A root is trusted because it is in the list; only its time counts.
      if (isValidAt(root, now)) return;
      problem = `its root ${nameOf(root)} is not valid at this time`;
    }
    if (below === MAX_CERTIFICATES) problem = 'its chain is too long';
    else {
      for (const [fingerprint, issuer] of left) {
        if (!isIssuedBy(certificate, issuer)) continue;
        left.delete(fingerprint);
        try {
          requireAuthority(issuer, below, now);
          reached.push({ certificate: issuer, below: below + 1 });
        } catch (error) {
          if (!(error instanceof NotVerifiedError)) throw error;
          problem = error.message;
        }
      }
    }
  }
  throw new NotVerifiedError(
    problem ??
      `it is not issued by an authority that this machine trusts: nothing leads from ${nameOf(reached.at(-1)?.certificate ?? leaf)} to a root`,
  );
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** `below`: how many authorities are between it and the leaf. */
function requireAuthority(issuer: X509Certificate, below: number, now: number): void {
  requireUsable(issuer, now);
  const { extensions } = partsOf(issuer.raw);
  const find = (id: string) => extensions.find((it) => it.id === id)?.value;
  const usage = find(EXTENSION.keyUsage);
  const constraints = find(EXTENSION.basicConstraints);
  const max = constraints === undefined ? 0 : maxPathLength(constraints);
  if (!issuer.ca || (usage !== undefined && !mayUse(usage, 'keyCertSign'))) {
    throw new NotVerifiedError(`${nameOf(issuer)} in its chain is not an authority`);
  }
  if (max !== undefined && below > max) {
    throw new NotVerifiedError(`${nameOf(issuer)} in its chain must not have so many below it`);
  }
}

function requireUsable(certificate: X509Certificate, now: number): void {
  const name = nameOf(certificate);
  if (!isValidAt(certificate, now)) {
    throw new NotVerifiedError(
      `${name} is valid from ${certificate.validFrom} to ${certificate.validTo}, and not at this time`,
    );
  }
  const { signatureAlgorithm, extensions } = partsOf(certificate.raw);
  if (!SIGNATURE_ALGORITHMS.has(signatureAlgorithm)) {
    throw new NotVerifiedError(`${name} is signed with an algorithm that is too old`);
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const { modulusLength = MIN_RSA_BITS } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'rsa' && modulusLength < MIN_RSA_BITS) {
    throw new NotVerifiedError(`${name} has an RSA key of less than ${MIN_RSA_BITS} bits`);
  }
  const strange = extensions.find(
    ({ id, isCritical }) => id === EXTENSION.nameConstraints || (isCritical && !UNDERSTOOD.has(id)),
  );
  if (strange !== undefined) {
    throw new NotVerifiedError(
      `${name} has a constraint that is not understood here (extension ${strange.id})`,
    );
  }
}

function isValidAt(certificate: X509Certificate, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now && now <= Date.parse(certificate.validTo);
}

/** On one line: it comes from others. Without a subject, Node has none, whatever its types say. */
function nameOf({ subject }: { readonly subject: string | undefined }): string {
  const name = /^CN=(.+)$/m.exec(subject ?? '')?.[1] ?? subject?.split('\n').at(-1) ?? 'it';
  return `"${name.replace(/[\p{Cc}"]/gu, ' ').slice(0, 100)}"`;
}

// The way from a certificate to a root that this machine trusts. Node has no function for it.
import type { X509Certificate } from 'node:crypto';
import { problemOfAuthority, problemOfSigner } from '@unwrite/protocol';
import { NotVerifiedError } from '../verify/not-verified.ts';

/** Between the certificate and a root. */
const MAX_CERTIFICATES = 8;

/** Throws NotVerifiedError unless one of the roots has signed it, directly or by way of the others given. */
export function requireChain(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: number,
): void {
  let problem = problemOf(leaf, problemOfSigner(leaf.raw), now);
  if (problem !== undefined) throw new NotVerifiedError(problem);
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
        const refused = problemOf(issuer, problemOfAuthority(issuer.raw, below), now);
        if (refused === undefined) reached.push({ certificate: issuer, below: below + 1 });
        else problem = refused;
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

/** With its name. `own`: by the rule for certificates of its kind. */
function problemOf(
  certificate: X509Certificate,
  own: string | undefined,
  now: number,
): string | undefined {
  const { validFrom, validTo } = certificate;
  const problem = isValidAt(certificate, now)
    ? own
    : `is valid from ${validFrom} to ${validTo}, and not at this time`;
  return problem === undefined ? undefined : `${nameOf(certificate)} ${problem}`;
}

function isValidAt(certificate: X509Certificate, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now && now <= Date.parse(certificate.validTo);
}

/** On one line: it comes from others. Without a subject, Node has none, whatever its types say. */
function nameOf({ subject }: { readonly subject: string | undefined }): string {
  const name = /^CN=(.+)$/m.exec(subject ?? '')?.[1] ?? subject?.split('\n').at(-1) ?? 'it';
  return `"${name.replace(/[\p{Cc}"]/gu, ' ').slice(0, 100)}"`;
}

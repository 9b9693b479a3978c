// Reads the files again when they change. A pair that cannot be used is kept out, and the one in use stays.
import { isValidAt } from '../domain/certificate/validity.ts';
import { CertificateProblem } from './certificate-problem.ts';
import type { ProcessorCertificate } from './read-certificate.ts';

export interface CertificateSource {
  /** Throws `CertificateProblem`. */
  read(): ProcessorCertificate;
  /** Differs when the files have changed. */
  stamp(): Promise<string>;
}

export interface CertificateEvents {
  replaced(certificate: ProcessorCertificate): void;
  refused(problem: string): void;
}

/** One look; to be called again and again. `first` was read when the files had `firstStamp`. */
export function createLookForCertificate(
  source: CertificateSource,
  first: ProcessorCertificate,
  firstStamp: string,
  now: () => number,
  events: CertificateEvents,
): () => Promise<void> {
  let used = first;
  let seen = firstStamp;
  let failing: string | undefined;
  let told: string | undefined;

  return async () => {
    const stamp = await source.stamp();
    if (stamp === seen) return;
    try {
      const next = source.read();
      // All of it: an authority that was missing in the chain may have been added.
      if (next.pem !== used.pem) {
        refuseInvalid(next, used, now());
        used = next;
        events.replaced(next);
      }
      seen = stamp;
    } catch (error) {
      if (!(error instanceof CertificateProblem)) throw error;
      // Two files cannot be replaced at the same moment: only a problem that persists is reported, once. The files are
      // read again at every look all the same: a certificate that is not valid yet will be.
      if (failing === stamp && told !== stamp) {
        told = stamp;
        events.refused(error.message);
      }
      failing = stamp;
    }
  };
}

/** Controllers refuse a certificate outside its validity: the one in use stays, if it is still valid. */
function refuseInvalid(next: ProcessorCertificate, used: ProcessorCertificate, now: number): void {
  if (isValidAt(next, now) || !isValidAt(used, now)) return;
  const [from, to] = [next.validFrom, next.validTo].map((time) => new Date(time).toISOString());
  throw new CertificateProblem(`processor_certificate is valid from ${from} to ${to} only`);
}

import { certificateState, type DatedCertificate } from '../../domain/certificate/validity.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { isoTime } from '../iso-time.ts';

/** The processor's certificate; null without one. */
export function certificateShape(certificate: DatedCertificate | undefined, now: number) {
  if (certificate === undefined) return null;
  return {
    subject: certificate.subject,
    state: certificateState(certificate, now),
    not_after: isoTime(certificate.validTo),
    days_left: Math.floor((certificate.validTo - now) / DAY_MS),
  };
}

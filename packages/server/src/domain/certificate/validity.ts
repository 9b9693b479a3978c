// When the processor's certificate is reported: controllers refuse signatures of one that has expired.
import { anAlarm, type NewAlarm } from '../alarm/alarm.ts';
import { DAY_MS } from '../time-units.ts';

export interface Validity {
  readonly validFrom: number;
  readonly validTo: number;
}

export interface DatedCertificate extends Validity {
  readonly subject: string;
  readonly fingerprint: string;
}

export type CertificateState = 'valid' | 'not_yet' | 'expiring' | 'expired';

/** Reported when this share of the lifetime is left; authorities issue for 90 days and renew at 30. */
const LEFT_WHEN_EXPIRING = 1 / 3;
const PERCENT_WHEN_EXPIRING = 67;

export function isValidAt({ validFrom, validTo }: Validity, now: number): boolean {
  return validFrom <= now && now <= validTo;
}

/** 1 for a new certificate, 0 or less for one that has expired. */
export function shareLeft({ validFrom, validTo }: Validity, now: number): number {
  return (validTo - now) / Math.max(1, validTo - validFrom);
}

export function certificateState(certificate: Validity, now: number): CertificateState {
  if (now > certificate.validTo) return 'expired';
  if (now < certificate.validFrom) return 'not_yet';
  return shareLeft(certificate, now) <= LEFT_WHEN_EXPIRING ? 'expiring' : 'valid';
}

/** One alarm for each stage of each certificate; undefined if there is nothing to report. */
export function certificateAlarm(certificate: DatedCertificate, now: number): NewAlarm | undefined {
  const state = certificateState(certificate, now);
  if (state === 'valid') return undefined;
  const { subject, fingerprint, validFrom, validTo } = certificate;
  const percent = { not_yet: 0, expiring: PERCENT_WHEN_EXPIRING, expired: 100 }[state];
  const message = {
    not_yet: `the processor's certificate (${subject}) is valid from ${dateOf(validFrom)} only: until then controllers that verify signatures refuse our answers. Check the clock, or configure another one`,
    expiring: `the processor's certificate (${subject}) expires in ${Math.floor((validTo - now) / DAY_MS)} days: renew it, and replace its files; no restart is needed`,
    expired: `the processor's certificate (${subject}) has expired on ${dateOf(validTo)}: controllers that verify signatures refuse our answers. Renew it, and replace its files; no restart is needed`,
  }[state];
  return anAlarm('certificate_expiry', fingerprint, message, now, { percent, deadline: validTo });
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

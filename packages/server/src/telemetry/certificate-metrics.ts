import { shareLeft, type Validity } from '../domain/certificate/validity.ts';
import { type Metric, single } from './exposition.ts';

/** No values without a certificate. */
export function certificateMetrics(certificate: Validity | undefined, now: number): Metric[] {
  return [
    single(
      'unwrite_certificate_left_seconds',
      'gauge',
      "Time until the processor's certificate expires; negative: it has expired.",
      certificate === undefined ? null : (certificate.validTo - now) / 1000,
    ),
    single(
      'unwrite_certificate_left_ratio',
      'gauge',
      'The same as a share of its lifetime.',
      certificate === undefined ? null : shareLeft(certificate, now),
    ),
  ];
}

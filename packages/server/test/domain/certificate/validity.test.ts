import { describe, expect, it } from 'vitest';
import { certificateAlarm, certificateState } from '../../../src/domain/certificate/validity.ts';

const DAY = 86_400_000;
const certificate = {
  subject: 'CN=erase.example.com',
  fingerprint: 'ab12',
  validFrom: 0,
  validTo: 90 * DAY,
};

describe("the processor's certificate", () => {
  it.each([
    [-1, 'not_yet'],
    [0, 'valid'],
    [60 * DAY - 1, 'valid'],
    [60 * DAY, 'expiring'],
    [90 * DAY, 'expiring'],
    [90 * DAY + 1, 'expired'],
  ])('at %d of a lifetime of 90 days is %s', (now, state) => {
    expect(certificateState(certificate, now)).toBe(state);
  });

  it('is reported when a third of its lifetime is left, and when it has expired', () => {
    expect(certificateAlarm(certificate, 59 * DAY)).toBeUndefined();
    expect(certificateAlarm(certificate, 60 * DAY)).toMatchObject({
      kind: 'certificate_expiry',
      subject: 'ab12',
      percent: 67,
      deadline: 90 * DAY,
      message: expect.stringContaining('expires in 30 days'),
    });
    expect(certificateAlarm(certificate, 91 * DAY)).toMatchObject({
      percent: 100,
      message: expect.stringContaining('has expired on 1970-04-01'),
    });
  });
});

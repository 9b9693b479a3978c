import { describe, expect, it } from 'vitest';
import { KINDS_BY_SEVERITY } from '../../../src/domain/alarm/alarm.ts';
import { isDeliveryDue } from '../../../src/domain/alarm/delivery.ts';

const NOW = 1_800_000_000_000;

describe('the delivery of alarms', () => {
  it('alarms are sent when the time of the next attempt has come, or is implausibly far ahead', () => {
    expect(isDeliveryDue(0, NOW)).toBe(true);
    expect(isDeliveryDue(NOW, NOW)).toBe(true);
    expect(isDeliveryDue(NOW + 1, NOW)).toBe(false);
    expect(isDeliveryDue(NOW + 7_200_000, NOW)).toBe(false);
    expect(isDeliveryDue(NOW + 7_200_001, NOW)).toBe(true);
  });

  it('outages first, then limits, then deadlines', () => {
    expect(KINDS_BY_SEVERITY).toEqual([
      'worker_failing',
      'row_refused',
      'unreadable',
      'store_went_back',
      'clock_ahead',
      'audit_tampered',
      'receipt_refused',
      'target_down',
      'target_refused',
      'backup_failed',
      'daily_starts',
      'daily_rows',
      'events_unsent',
      'certificate_expiry',
      'certificate_refused',
      'not_found',
      'held',
      'outside_plan',
      'statutory_deadline',
      'expected_deadline',
      'erase_again_deadline',
      'daily_summary',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { KINDS_BY_SEVERITY } from '../../../src/domain/alarm/alarm.ts';

describe('the delivery of alarms', () => {
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

import { describe, expect, it } from 'vitest';
import { type Alarm, anAlarm } from '../../../src/domain/alarm/alarm.ts';
import { isDeliveryDue, raisedTogether } from '../../../src/domain/alarm/delivery.ts';

const NOW = 1_800_000_000_000;

describe('alarms are sent', () => {
  it('when the time of the next try has come, or is further ahead than any try', () => {
    expect(isDeliveryDue(0, NOW)).toBe(true);
    expect(isDeliveryDue(NOW, NOW)).toBe(true);
    expect(isDeliveryDue(NOW + 1, NOW)).toBe(false);
    expect(isDeliveryDue(NOW + 7_200_000, NOW)).toBe(false);
    expect(isDeliveryDue(NOW + 7_200_001, NOW)).toBe(true);
  });

  it('together where they are of one subject and were raised together', () => {
    const alarm = (alarmNo: number, subject: string, raisedTime = NOW): Alarm => ({
      ...anAlarm('target_down', subject, 'down', raisedTime),
      ...{ alarmNo, subjectRequestId: null, deliveredTime: null },
    });
    const alarms = [alarm(1, 'a'), alarm(2, 'b'), alarm(3, 'a'), alarm(4, 'a', NOW + 1)];
    expect(raisedTogether(alarms).map(({ alarmNo }) => alarmNo)).toEqual([1, 3]);
    expect(raisedTogether([])).toEqual([]);
  });
});

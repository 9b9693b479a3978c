import { describe, expect, it } from 'vitest';
import {
  conditionAlarms,
  type FoundConditions,
} from '../../../src/domain/alarm/condition-alarms.ts';

const NONE: FoundConditions = { starts: [], deferred: [], nowhere: [], down: [], refused: [] };
const OFF = { maxStartsPerDay: null, notFoundPercent: null };
const DAY = { day: 20_000, whose: 'acme' };

const kinds = (found: Partial<FoundConditions>, limits = {}) =>
  conditionAlarms({ ...NONE, ...found }, { ...OFF, ...limits }, 0).map(({ kind }) => kind);

describe('alarms about conditions', () => {
  it("an alarm is raised when a controller's daily limit of starts is reached", () => {
    const starts = [{ ...DAY, count: 5 }];
    expect(kinds({ starts }, { maxStartsPerDay: 6 })).toEqual([]);
    expect(kinds({ starts }, { maxStartsPerDay: 5 })).toEqual(['daily_starts']);
    expect(kinds({ starts })).toEqual([]);
  });

  it("an alarm is raised when more than the set percentage of a day's requests was found nowhere", () => {
    const nowhere = (count: number, completed: number) => [{ ...DAY, count, completed }];
    const limits = { notFoundPercent: 50 };
    expect(kinds({ nowhere: nowhere(10, 20) }, limits)).toEqual([]);
    expect(kinds({ nowhere: nowhere(11, 20) }, limits)).toEqual(['not_found']);
    expect(kinds({ nowhere: nowhere(20, 20) })).toEqual([]);
  });

  it('no alarm is raised about fewer than twenty completed requests', () => {
    const nowhere = [{ ...DAY, count: 19, completed: 19 }];
    expect(kinds({ nowhere }, { notFoundPercent: 50 })).toEqual([]);
  });
});

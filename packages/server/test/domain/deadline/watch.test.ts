import { describe, expect, it } from 'vitest';
import {
  isWatchedEarly,
  mayLookAtNew,
  progressAfter,
  watchedUntil,
} from '../../../src/domain/deadline/watch.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEFORE = { seenReceived: -1, seenRequestNo: 3, lookedTime: NOW - DAY };

const request = (submittedTime: string, receivedTime = NOW, isOpen = true) => ({
  requestNo: 4,
  submittedTime,
  receivedTime,
  isOpen,
});

describe('deadline watching', () => {
  it('a request is watched when it is twelve days old', () => {
    expect(watchedUntil(NOW)).toBe(NOW - 12 * DAY);
  });

  it('a request that was submitted more than a day before it arrived is watched from the beginning', () => {
    expect(isWatchedEarly(request('2026-11-14T11:59:59Z'), BEFORE)).toBe(true);
    expect(isWatchedEarly(request('2026-11-14T12:00:00Z'), BEFORE)).toBe(false);
  });

  it('a request whose times cannot be read is watched from the beginning', () => {
    expect(isWatchedEarly(request('yesterday'), BEFORE)).toBe(true);
  });

  it('a request is watched from the beginning if requests of its age were already enrolled', () => {
    const late = { seenReceived: NOW };
    expect(isWatchedEarly(request('2026-11-15T12:00:00Z'), late)).toBe(true);
  });

  it('a final request is not watched', () => {
    expect(isWatchedEarly(request('yesterday', NOW, false), BEFORE)).toBe(false);
  });
});

describe('enrolling new requests', () => {
  it('new requests are read once a minute, and at once after the clock was set back', () => {
    expect(mayLookAtNew(NOW - MINUTE, NOW)).toBe(true);
    expect(mayLookAtNew(NOW - MINUTE + 1, NOW)).toBe(false);
    expect(mayLookAtNew(NOW + 1, NOW)).toBe(true);
  });

  it('new requests are read again while a lower number may still be committed', () => {
    const rows = [request('', NOW - 3 * MINUTE), { ...request('', NOW - MINUTE), requestNo: 5 }];
    const options = { now: NOW, isFullPage: false };
    const late = progressAfter(rows, BEFORE, { ...options, lateNumbersMs: 2 * MINUTE });
    expect(late).toEqual({ seenRequestNo: 4, lookedTime: NOW });
    const inOrder = progressAfter(rows, BEFORE, { ...options, lateNumbersMs: 0 });
    expect(inOrder).toEqual({ seenRequestNo: 5, lookedTime: NOW });
    const young = progressAfter(rows.slice(1), BEFORE, { ...options, lateNumbersMs: 2 * MINUTE });
    expect(young).toEqual({ seenRequestNo: 3, lookedTime: NOW });
  });

  it('new requests are read again at once if the page was full', () => {
    const options = { now: NOW, lateNumbersMs: 0, isFullPage: true };
    expect(progressAfter([request('')], BEFORE, options)).toEqual({
      seenRequestNo: 4,
      lookedTime: BEFORE.lookedTime,
    });
  });
});

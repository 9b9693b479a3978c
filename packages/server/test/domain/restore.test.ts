import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import {
  cancelsAgain,
  contradicts,
  contradictsStart,
  type Happened,
  isBehind,
  isLater,
  judgeHead,
  type Restore,
  timeForList,
} from '../../src/domain/store/restore.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';

const restore = (detectedTime: number, confirmedTime: number | null): Restore => ({
  restoreNo: 1,
  detectedTime,
  detectedBy: 'system',
  reason: 'a test',
  lastHeadNo: 5,
  reviewedTime: null,
  confirmedTime,
});
const head = (headNo: number, time: number) => ({ headNo, hash: 'ab', time });
const CANCELLED: Happened = {
  what: 'cancelled',
  time: 100,
  controllerId: 'acme' as ControllerId,
  subjectRequestId: 'a7551968-d5d6-44b2-9831-815ac9017798' as SubjectRequestId,
};
const pending = (receivedTime: number) => ({ status: 'pending', receivedTime }) as const;

describe('a head that a node knows', () => {
  it('shows that the store went back if the store lacks it', () => {
    expect(judgeHead(head(9, 50), true, [])).toBe('there');
    expect(judgeHead(head(9, 50), false, [])).toBe('went back');
    expect(judgeHead(head(9, 50), false, [restore(100, null)])).toBe('went back');
  });

  it('was lost in a restore that was confirmed, if it was sealed before and the store had not come so far', () => {
    const confirmed = [restore(100, 200)];
    expect(judgeHead(head(9, 50), false, confirmed)).toBe('confirmed');
    expect(judgeHead(head(9, 101), false, confirmed)).toBe('went back');
    expect(judgeHead(head(5, 50), false, confirmed)).toBe('went back');
  });

  it('was not lost in a restore that was known when it was written down, also where the clock was ahead then', () => {
    const confirmed = [restore(100, 200)];
    const written = (lastRestoreNo: number) => ({ ...head(9, 50), lastRestoreNo });
    expect(judgeHead(written(0), false, confirmed)).toBe('confirmed');
    expect(judgeHead(written(1), false, confirmed)).toBe('went back');
  });
});

describe('a cancellation that was answered', () => {
  it('is contradicted by anything but cancelled', () => {
    expect(contradicts(CANCELLED, { status: 'cancelled', receivedTime: 1 }, [], 0)).toBe(false);
    expect(contradicts(CANCELLED, pending(1), [], 0)).toBe(true);
    expect(contradicts(CANCELLED, { status: 'in_progress', receivedTime: 1 }, [], 0)).toBe(true);
    expect(contradicts(CANCELLED, undefined, [], 0)).toBe(true);
  });

  it('is contradicted by a clock that was set back between the request and it, too', () => {
    expect(contradicts(CANCELLED, pending(150), [], 0)).toBe(true);
  });

  it('is contradicted after a confirmation only if it could still be carried out', () => {
    const confirmed = [restore(120, 130)];
    expect(contradicts(CANCELLED, pending(1), confirmed, 0)).toBe(true);
    expect(contradicts(CANCELLED, undefined, confirmed, 0)).toBe(false);
    expect(contradicts(CANCELLED, { status: 'completed', receivedTime: 1 }, confirmed, 0)).toBe(
      false,
    );
    expect(contradicts({ ...CANCELLED, time: 140 }, undefined, confirmed, 0)).toBe(true);
  });

  it('is not contradicted by a request that was submitted again after the restore was noticed', () => {
    expect(contradicts(CANCELLED, pending(121), [restore(120, null)], 0)).toBe(false);
    expect(contradicts(CANCELLED, pending(119), [restore(120, null)], 0)).toBe(true);
  });
});

describe('a cancellation that was answered while the clock was ahead', () => {
  const ahead = { ...CANCELLED, time: 500, requestTime: 450 };

  it('was lost in a restore that was confirmed, if that restore was not known then', () => {
    const confirmed = [restore(120, 130)];
    expect(contradicts({ ...ahead, lastRestoreNo: 0 }, undefined, confirmed, 0)).toBe(false);
    expect(contradicts({ ...ahead, lastRestoreNo: 0 }, undefined, [restore(120, null)], 0)).toBe(
      true,
    );
    expect(contradicts({ ...ahead, lastRestoreNo: 1 }, undefined, confirmed, 0)).toBe(true);
  });

  it('is on the list of a restore with a time before the request is submitted again', () => {
    expect(isLater({ time: timeForList(ahead, undefined, [restore(120, null)]) }, 200, 120)).toBe(
      true,
    );
  });
});

describe('a cancellation of a request whose time is known', () => {
  // The clock was ahead when the request was received, and was set back before it was cancelled.
  const its = { ...CANCELLED, requestTime: 500 };

  it('is contradicted by that request, whatever the clock said', () => {
    expect(contradicts(its, pending(500), [restore(120, null)], 0)).toBe(true);
    expect(contradicts(its, pending(500), [restore(120, 130)], 300)).toBe(true);
    expect(contradictsStart(its, pending(500), [restore(120, 130)], 300)).toBe(true);
  });

  it('is not contradicted by another request of that id which was submitted again', () => {
    expect(contradicts(its, pending(501), [restore(120, null)], 0)).toBe(false);
    expect(contradictsStart(its, pending(501), [restore(120, 130)], 0)).toBe(false);
    // Nor where the clock was ahead until the restore.
    const ahead = { ...its, time: 510 };
    expect(contradicts(ahead, pending(200), [restore(120, 130)], 0)).toBe(false);
    expect(contradictsStart(ahead, pending(200), [restore(120, 130)], 0)).toBe(false);
  });

  it('is on the list with a time by which it is of that request', () => {
    expect(isLater({ time: timeForList(its, pending(500), []) }, 500, 120)).toBe(false);
    expect(isLater({ time: timeForList(its, undefined, []) }, 501, 120)).toBe(true);
    expect(isLater({ time: timeForList(its, pending(501), []) }, 501, 120)).toBe(true);
  });
});

it('confirming cancels what is pending, or started and not worked on', () => {
  expect(cancelsAgain('pending', false)).toBe(true);
  expect(cancelsAgain('in_progress', false)).toBe(true);
  expect(cancelsAgain('in_progress', true)).toBe(false);
  expect(cancelsAgain('completed', false)).toBe(false);
  expect(cancelsAgain(undefined, false)).toBe(false);
});

it('a store is behind what happened if it has not come as far', () => {
  const behind = (what: Happened['what']) =>
    ([undefined, 'pending', 'in_progress', 'completed', 'cancelled'] as const).filter((status) =>
      isBehind({ what }, status),
    );
  expect(behind('started')).toEqual([undefined, 'pending']);
  expect(behind('completed')).toEqual([undefined, 'pending', 'in_progress']);
  expect(behind('cancelled')).toEqual([undefined, 'pending', 'in_progress', 'completed']);
});

import { describe, expect, it } from 'vitest';
import {
  isStartable,
  type StartableRequest,
  withinTheDay,
} from '../../../src/domain/request/start.ts';

const request = (changes: Partial<StartableRequest> = {}): StartableRequest => ({
  requestNo: 1,
  controllerId: 'acme',
  status: 'pending',
  isPlanned: false,
  isFirst: true,
  askedBy: null,
  createdBy: 'client:acme',
  sealed: 1,
  ...changes,
});

describe('starting a request', () => {
  it('a request starts while it is pending, or has to be planned again', () => {
    expect(isStartable(request(), 1)).toBe(true);
    expect(isStartable(request({ status: 'in_progress' }), 1)).toBe(true);
  });

  it('a request starts only if it was not started, cancelled or completed before', () => {
    expect(isStartable(request({ status: 'in_progress', isPlanned: true }), 1)).toBe(false);
    expect(isStartable(request({ status: 'cancelled' }), 1)).toBe(false);
    expect(isStartable(request({ status: 'completed' }), 1)).toBe(false);
  });

  it('a request starts only with a plan for its current identities', () => {
    expect(isStartable(request({ sealed: 1 }), 0)).toBe(false);
  });
});

describe('the starts of a day', () => {
  it('are as many of each controller as the limit says', () => {
    const requests = [
      ...[1, 2, 3].map((requestNo) => request({ requestNo })),
      request({ requestNo: 4, controllerId: 'globex' }),
    ];
    const started = new Map([['acme', 3]]);
    const numbers = withinTheDay(requests, 5, started).map(({ requestNo }) => requestNo);
    expect(numbers).toEqual([1, 2, 4]);
    expect(started).toEqual(new Map([['acme', 3]]));
  });

  it('leave out neither what an operator asked for nor what was started before', () => {
    const requests = [
      request({ requestNo: 1, askedBy: 'operator:jo' }),
      request({ requestNo: 2 }),
      request({ requestNo: 3, isFirst: false }),
    ];
    const numbers = withinTheDay(requests, 1, new Map()).map(({ requestNo }) => requestNo);
    expect(numbers).toEqual([1, 3]);
  });

  it('a request that an operator entered waits for its day, whoever asks to start it', () => {
    const asked = { askedBy: 'operator:otto' };
    const entered = request({ ...asked, createdBy: 'operator:olga', requestNo: 2 });
    const started = new Map([['acme', 5]]);
    expect(withinTheDay([request(asked), entered], 5, started)).toEqual([request(asked)]);
    expect(withinTheDay([entered], 6, started)).toEqual([entered]);
  });
});

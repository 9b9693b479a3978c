import { describe, expect, it } from 'vitest';
import {
  aboutToBeTried,
  detailOf,
  type OpenTask,
  pendingTooLong,
  reasonOfPending,
  reasonOfTask,
  reasonWithoutTasks,
  withWords,
} from '../../../src/domain/task/attention.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TASK: OpenTask = {
  state: 'waiting',
  phase: 'erase',
  target: 'shop',
  dueTime: NOW,
  changedTime: NOW,
  attempts: 0,
  reason: null,
  receivedTime: NOW,
  isPaused: false,
  detail: null,
  circuitCode: null,
  circuitDetail: null,
  leaseUntil: null,
  hasToWait: false,
};
const RUNNING = { state: 'running', leaseUntil: NOW + MINUTE, attempts: 1 } as const;

const reasonOf = (changes: Partial<OpenTask>, patientTargets: readonly string[] = []) =>
  reasonOfTask({ ...TASK, ...changes }, { now: NOW, patientTargets });

describe('a task needs an operator', () => {
  const cases: readonly (readonly [
    what: string,
    changes: Partial<OpenTask>,
    reason: string | null,
  ])[] = [
    ['not when it is about to be tried', {}, null],
    ['when it is held, for its reason', { state: 'held', reason: 'over_cap' }, 'over_cap'],
    ['when it is held without a reason', { state: 'held' }, 'held'],
    ['when it failed', { state: 'failed', reason: 'lock_timeout' }, 'lock_timeout'],
    [
      'when it failed, also where its target is paused',
      { state: 'failed', isPaused: true },
      'failed',
    ],
    [
      'when it waits and is paused, first of all',
      { isPaused: true, circuitCode: 'down' },
      'paused',
    ],
    ['when its target is down', { circuitCode: 'ECONNREFUSED' }, 'ECONNREFUSED'],
    ['when it runs and its target is down', { ...RUNNING, circuitCode: 'down' }, 'down'],
    ['not when it runs in living hands', RUNNING, null],
    ['when it runs without a batch', { ...RUNNING, leaseUntil: null }, 'worker_gone'],
    ['when its lease ended', { ...RUNNING, leaseUntil: NOW - MINUTE - 1 }, 'worker_gone'],
    ['not when its lease just ended', { ...RUNNING, leaseUntil: NOW - MINUTE }, null],
    ['when its lease is too far ahead', { ...RUNNING, leaseUntil: NOW + HOUR + 1 }, 'worker_gone'],
    ['when it is tried again after a failure', { ...RUNNING, attempts: 2, reason: 'x' }, 'x'],
    ['not on its first try', { ...RUNNING, reason: 'x' }, null],
    [
      'when it is tried again and hangs, for that',
      { ...RUNNING, attempts: 2, reason: 'x', changedTime: NOW - HOUR - 1 },
      'taking_long',
    ],
    [
      'when it hangs and its target is down, for that',
      { ...RUNNING, circuitCode: 'down', changedTime: NOW - HOUR - 1 },
      'taking_long',
    ],
    [
      'when its worker stopped and its target is down, for that',
      { ...RUNNING, circuitCode: 'down', leaseUntil: null },
      'worker_gone',
    ],
    ['when it runs for an hour', { ...RUNNING, changedTime: NOW - HOUR - 1 }, 'taking_long'],
    ['when it waits and nothing will resolve', { dueTime: null }, 'blocked'],
    ['not when it waits for a target that resolves', { dueTime: null, hasToWait: true }, null],
    [
      'when it should resolve and is never due',
      { dueTime: null, phase: 'resolve', hasToWait: true },
      'blocked',
    ],
    [
      'when the rows of its day are used up',
      { reason: 'daily_cap', dueTime: NOW + 20 * HOUR },
      'daily_cap',
    ],
    ['when it is overdue', { dueTime: NOW - 15 * MINUTE - 1 }, 'not_worked_on'],
    ['not within the grace', { dueTime: NOW - 15 * MINUTE }, null],
    ['when it is due too far ahead', { dueTime: NOW + 12 * HOUR + 1 }, 'not_worked_on'],
    ['when it is past its deadline', { receivedTime: NOW - 30 * DAY - 1 }, 'past_deadline'],
    ['not on the last day', { receivedTime: NOW - 30 * DAY }, null],
  ];
  it.each(cases)('%s', (_, changes, reason) => {
    expect(reasonOf(changes)).toBe(reason);
  });

  it('a task of a target with hours needs an operator only after a day', () => {
    expect(reasonOf({ dueTime: NOW - DAY }, ['shop'])).toBe(null);
    expect(reasonOf({ dueTime: NOW - 26 * HOUR }, ['shop'])).toBe('not_worked_on');
  });

  it('a task that a store may leave out never needs an operator', () => {
    const { dueFrom, dueUntil, receivedSince } = aboutToBeTried(NOW);
    for (const dueTime of [dueFrom, dueUntil]) {
      expect(reasonOf({ dueTime, receivedTime: receivedSince })).toBe(null);
    }
  });
});

describe('a request needs an operator', () => {
  it('a request needs an operator if it was not started in time, or its time is in the future', () => {
    expect(pendingTooLong(NOW, DAY)).toEqual({
      lateBefore: NOW - DAY - 15 * MINUTE,
      aheadAfter: NOW + 15 * MINUTE,
    });
    const late = { receivedTime: NOW - 2 * DAY, startsToday: 4 };
    const limits = { now: NOW, maxStartsPerDay: 5 };
    expect(reasonOfPending(late, limits)).toBe('not_started');
    expect(reasonOfPending({ ...late, startsToday: 5 }, limits)).toBe('daily_cap');
    expect(reasonOfPending({ ...late, startsToday: 5 }, { now: NOW })).toBe('not_started');
    const ahead = { receivedTime: NOW + DAY, startsToday: 5 };
    expect(reasonOfPending(ahead, limits)).toBe('not_started');
  });

  it('a request needs an operator if it has had no plan for a while, or a plan and no open task', () => {
    expect(reasonWithoutTasks({ isPlanned: true, startedTime: NOW }, NOW)).toBe('not_completed');
    expect(reasonWithoutTasks({ isPlanned: false, startedTime: NOW }, NOW)).toBe(null);
    expect(reasonWithoutTasks({ isPlanned: false, startedTime: null }, NOW)).toBe('not_planned');
  });
});

describe('the words of a line', () => {
  const line = { controllerId: 'acme', subjectRequestId: 'id', receivedTime: NOW } as never;
  const wordsOf = (reason: string, detail: string | null) =>
    withWords({ ...(line as object), target: 'shop', state: 'waiting', reason, detail } as never)
      .detail;

  it('come from the task, but not while it is paused', () => {
    expect(wordsOf('failed', 'a lock')).toBe('a lock');
    expect(wordsOf('paused', 'a lock')).toContain('"unwrite resume"');
    expect(wordsOf('paused', 'a lock')).toContain('"unwrite resume --target <name>"');
  });

  it('come from the target if it is down, not from an earlier attempt with another code', () => {
    const down = { circuitCode: 'ECONNREFUSED', circuitDetail: 'nobody listens' };
    const task = { ...TASK, ...down, reason: 'lock_timeout', detail: 'a lock' };
    expect(detailOf(task, 'ECONNREFUSED')).toBe('nobody listens');
    expect(detailOf({ ...task, state: 'held' }, 'lock_timeout')).toBe('a lock');
    expect(detailOf({ ...task, state: 'held' }, 'ECONNREFUSED')).toBe('a lock');
  });

  it('do not come from the previous attempt if a worker stopped or hangs', () => {
    expect(wordsOf('worker_gone', 'a lock')).toContain('takes over');
    expect(wordsOf('taking_long', 'a lock')).toContain('restart of the server');
  });

  it('are empty for an unknown code, even if it is the name of a property of every object', () => {
    expect(wordsOf('constructor', null)).toBe('');
  });
});

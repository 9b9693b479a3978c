import { describe, expect, it } from 'vitest';
import { plannedTasks, runAgain, runForAdded } from '../../../src/domain/task/new-task.ts';
import type { PlannedTask } from '../../../src/domain/task/task.ts';

const NOW = 1_800_000_000_000;
const ERASES: PlannedTask = { target: 'shop', connector: 'postgres', phase: 'erase', held: null };
const RESOLVES: PlannedTask = { ...ERASES, target: 'crm', phase: 'resolve' };
const HELD: PlannedTask = {
  ...ERASES,
  target: 'paper',
  held: { reason: 'manual', detail: 'a person has to do it' },
};

describe('the tasks of a plan', () => {
  it('are due at once if no target resolves', () => {
    expect(plannedTasks(7, [ERASES], NOW)).toEqual([
      {
        requestNo: 7,
        target: 'shop',
        connector: 'postgres',
        phase: 'erase',
        resolves: 0,
        state: 'waiting',
        dueTime: NOW,
        reason: null,
        detail: null,
        waitsFor: null,
      },
    ]);
  });

  it('wait for the targets that erase before them', () => {
    const last: PlannedTask = { ...ERASES, waitsFor: ['mail', 'gone'] };
    const tasks = plannedTasks(7, [last, { ...ERASES, target: 'mail' }], NOW);
    expect(tasks.map(({ dueTime }) => dueTime)).toEqual([null, NOW]);
    expect(tasks.map(({ waitsFor }) => waitsFor)).toEqual(['["mail","gone"]', null]);
    const alone: PlannedTask = { ...ERASES, waitsFor: ['gone'] };
    expect(plannedTasks(7, [alone], NOW)).toMatchObject([{ dueTime: NOW }]);
  });

  it('wait for the targets that resolve', () => {
    const tasks = plannedTasks(7, [ERASES, RESOLVES], NOW);
    expect(tasks.map(({ dueTime }) => dueTime)).toEqual([null, NOW]);
    expect(tasks.map(({ resolves }) => resolves)).toEqual([0, 1]);
  });

  it('are held from the beginning if an operator has to act', () => {
    expect(plannedTasks(7, [HELD], NOW)).toMatchObject([
      { state: 'held', dueTime: null, reason: 'manual', detail: 'a person has to do it' },
    ]);
  });
});

describe('another run for added identities', () => {
  const before = {
    target: 'shop',
    connector: 'postgres',
    resolves: false,
    action: null,
    waitsFor: null,
  };

  it('waits until it is known that nothing resolves', () => {
    expect(runForAdded(7, { ...before, action: 'erased' }, NOW)).toMatchObject({
      phase: 'erase',
      state: 'waiting',
      dueTime: null,
      reason: null,
    });
  });

  it('resolves at once if the target does', () => {
    expect(runForAdded(7, { ...before, resolves: true }, NOW)).toMatchObject({
      phase: 'resolve',
      resolves: 1,
      state: 'waiting',
      dueTime: NOW,
    });
  });

  it('is held if an operator did it or retained it', () => {
    const manual = { ...before, connector: 'manual', resolves: true };
    expect(runForAdded(7, manual, NOW)).toMatchObject({
      phase: 'erase',
      state: 'held',
      dueTime: null,
      reason: 'manual',
    });
    expect(runForAdded(7, { ...before, action: 'retained' }, NOW)).toMatchObject({
      state: 'held',
      reason: 'retained_before',
      detail:
        'identities were added, and this target was retained before: release, or retain again',
    });
  });
});

describe('a run at a target that is erased again', () => {
  it('continues by itself', () => {
    expect(runAgain(7, ERASES, 'erased', NOW)).toMatchObject({ state: 'waiting', dueTime: null });
    expect(runAgain(7, RESOLVES, null, NOW)).toMatchObject({ phase: 'resolve', dueTime: NOW });
  });

  it('is held as the plan says, or because it was retained before', () => {
    expect(runAgain(7, HELD, 'retained', NOW)).toMatchObject({ reason: 'manual' });
    expect(runAgain(7, RESOLVES, 'retained', NOW)).toMatchObject({
      phase: 'erase',
      resolves: 1,
      state: 'held',
      reason: 'retained_before',
    });
  });
});

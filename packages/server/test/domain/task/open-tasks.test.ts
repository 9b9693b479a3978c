import { describe, expect, it } from 'vitest';
import {
  retriedTasks,
  type TaskStanding,
  unblockedTasks,
} from '../../../src/domain/task/open-tasks.ts';

const task = (taskNo: number, changes: Partial<TaskStanding> = {}): TaskStanding => ({
  taskNo,
  requestNo: 1,
  target: 'crm',
  state: 'waiting',
  phase: 'erase',
  dueTime: null,
  waitsFor: null,
  ...changes,
});

describe('unblocking', () => {
  it('makes the blocked tasks of a request due when none of its targets has to resolve', () => {
    expect(unblockedTasks([task(1), task(2, { target: 'shop' })])).toEqual([1, 2]);
    expect(unblockedTasks([task(1), task(2, { phase: 'resolve', state: 'erased' })])).toEqual([1]);
  });

  it.each(['waiting', 'running', 'failed', 'held'] as const)(
    'leaves them blocked while a target that resolves is %s',
    (state) => {
      const resolving = task(2, { phase: 'resolve', state, dueTime: 5 });
      expect(unblockedTasks([task(1), resolving])).toEqual([]);
    },
  );

  it.each(['waiting', 'running', 'failed', 'held'] as const)(
    'leaves a task blocked while a target that it waits for is %s',
    (state) => {
      const last = task(1, { target: 'shop', waitsFor: '["mail","crm"]' });
      expect(unblockedTasks([last, task(2, { state, dueTime: 5 })])).toEqual([]);
      expect(unblockedTasks([last, task(2, { state, dueTime: 5, target: 'log' })])).toEqual([1]);
      expect(unblockedTasks([last, task(2, { state: 'erased' })])).toEqual([1]);
      expect(unblockedTasks([last, task(2, { state, dueTime: 5, requestNo: 2 })])).toEqual([1]);
    },
  );

  it('lets the oldest task continue if tasks wait only for one another', () => {
    const a = task(1, { target: 'a', waitsFor: '["b"]' });
    const b = task(2, { target: 'b', waitsFor: '["a"]' });
    expect(unblockedTasks([b, a])).toEqual([1]);
    expect(unblockedTasks([b, a, task(3, { state: 'held', target: 'c' })])).toEqual([]);
  });

  it.each(['waiting', 'running', 'failed'] as const)(
    'leaves a task blocked while an earlier run at its target is %s',
    (state) => {
      const earlier = task(1, { state, dueTime: 5 });
      expect(unblockedTasks([earlier, task(2)])).toEqual([]);
      expect(unblockedTasks([earlier, task(2, { target: 'shop' })])).toEqual([2]);
      expect(unblockedTasks([earlier, task(2, { requestNo: 2 })])).toEqual([2]);
      expect(unblockedTasks([task(1, { state: 'held' }), task(2)])).toEqual([2]);
    },
  );

  it.each(['waiting', 'running', 'failed'] as const)(
    'leaves a task that was released blocked while a later run at its target, which was let go, is %s',
    (state) => {
      const later = task(2, { state, dueTime: 5 });
      expect(unblockedTasks([task(1), later])).toEqual([]);
      expect(unblockedTasks([task(1, { target: 'shop' }), later])).toEqual([1]);
      expect(unblockedTasks([task(1), task(2, { state: 'held' })])).toEqual([1]);
      expect(unblockedTasks([task(1), task(2, { state: 'erased' })])).toEqual([1]);
    },
  );

  it('lets only the earlier of two blocked runs at a target go', () => {
    expect(unblockedTasks([task(2), task(1)])).toEqual([1]);
  });

  it('decides for each request', () => {
    const other = task(3, { requestNo: 2, phase: 'resolve' });
    expect(unblockedTasks([task(1), task(2, { requestNo: 2 }), other])).toEqual([1]);
  });

  it('leaves tasks with a due time, held and running tasks unchanged', () => {
    const others = [task(1, { dueTime: 5 }), task(2, { state: 'held' })];
    expect(unblockedTasks([...others, task(3, { state: 'running' })])).toEqual([]);
  });
});

describe('a retry', () => {
  it('touches what waits for its time, and what has to resolve', () => {
    const tasks = [
      task(1, { dueTime: 5 }),
      task(2, { state: 'failed', dueTime: 5 }),
      task(3, { phase: 'resolve' }),
    ];
    expect(retriedTasks(tasks)).toEqual([1, 2, 3]);
  });

  it('touches neither what is blocked, held or running, nor what is done', () => {
    const tasks = [
      task(1),
      task(2, { state: 'held' }),
      task(3, { state: 'running', dueTime: 5 }),
      task(4, { state: 'erased', dueTime: 5 }),
    ];
    expect(retriedTasks(tasks)).toEqual([]);
  });
});

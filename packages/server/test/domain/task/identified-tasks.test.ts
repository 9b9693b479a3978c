import { describe, expect, it } from 'vitest';
import { type KnownTask, tasksAfterIdentities } from '../../../src/domain/task/identified-tasks.ts';

const NOW = 1_800_000_000_000;
const BEFORE = NOW - 1000;

const task = (changes: Partial<KnownTask> = {}): KnownTask => ({
  taskNo: 1,
  target: 'shop',
  run: 1,
  connector: 'postgres',
  phase: 'erase',
  resolves: false,
  state: 'waiting',
  dueTime: BEFORE,
  reason: null,
  detail: null,
  changedTime: BEFORE,
  action: null,
  hasErased: false,
  waitsFor: null,
  ...changes,
});

const after = (...tasks: KnownTask[]) => tasksAfterIdentities(7, tasks, NOW);

describe('when identities are added', () => {
  it('a task that is done or running gets another run, one for each target', () => {
    const { runs } = after(
      task({ state: 'erased' }),
      task({ taskNo: 2, state: 'erased', run: 2 }),
      task({ taskNo: 3, target: 'crm', state: 'running' }),
    );
    expect(runs.map(({ target }) => target)).toEqual(['shop', 'crm']);
  });

  it('a task that waits to erase is not changed, and runs with the added identities', () => {
    expect(after(task(), task({ taskNo: 2, target: 'crm', state: 'failed' }))).toEqual({
      runs: [],
      changed: [],
    });
  });

  it('a task that had no usable identity continues', () => {
    const held = {
      state: 'held',
      reason: 'no_usable_identity',
      detail: 'none',
      dueTime: null,
    } as const;
    const { changed } = after(
      task(held),
      task({ ...held, taskNo: 2, target: 'b', phase: 'resolve' }),
    );
    expect(changed).toEqual([
      task({ dueTime: null, changedTime: NOW }),
      task({ taskNo: 2, target: 'b', phase: 'resolve', dueTime: NOW, changedTime: NOW }),
    ]);
  });

  it('a task that is held for another reason stays held', () => {
    expect(after(task({ state: 'held', reason: 'over_cap' })).changed).toEqual([]);
  });

  it('a target that has resolved and not erased resolves again, and all others wait for it', () => {
    const { runs, changed } = after(
      task({ resolves: true }),
      task({ taskNo: 2, target: 'crm', state: 'failed', reason: 'lock' }),
    );
    expect(runs).toEqual([]);
    expect(changed).toEqual([
      task({ resolves: true, phase: 'resolve', dueTime: NOW, changedTime: NOW }),
      task({ taskNo: 2, target: 'crm', reason: 'lock', dueTime: null }),
    ]);
  });

  it('a target that resolves does so in its place while it is held, and all others wait for it', () => {
    const { runs, changed } = after(
      task({ resolves: true, state: 'held', reason: 'over_cap', detail: 'many', dueTime: null }),
      task({ taskNo: 2, target: 'crm' }),
    );
    expect(runs).toEqual([]);
    expect(changed).toEqual([
      task({ resolves: true, phase: 'resolve', dueTime: NOW, changedTime: NOW }),
      task({ taskNo: 2, target: 'crm', dueTime: null }),
    ]);
  });

  it('a held target that has erased resolves in another run', () => {
    const held = { resolves: true, state: 'held', reason: 'orphaned', hasErased: true } as const;
    const { runs, changed } = after(task(held), task({ taskNo: 2, target: 'crm' }));
    expect(runs).toMatchObject([{ target: 'shop', phase: 'resolve', dueTime: NOW }]);
    expect(changed).toEqual([task({ taskNo: 2, target: 'crm', dueTime: null })]);
  });

  it('a task that an operator had retained is left to an operator', () => {
    const held = { resolves: true, state: 'held', reason: 'retained_before' } as const;
    expect(after(task(held))).toEqual({ runs: [], changed: [] });
  });

  it('only the last run of a target looks up again', () => {
    const { changed } = after(
      task({ resolves: true, state: 'failed' }),
      task({ taskNo: 2, run: 2, resolves: true, phase: 'resolve', dueTime: NOW }),
    );
    expect(changed).toEqual([task({ resolves: true, state: 'waiting', dueTime: null })]);
  });
});

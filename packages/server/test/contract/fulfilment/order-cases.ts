import { expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { PlannedTask } from '../../../src/domain/task/task.ts';
import { BY, DAY, erasedOutcome, heldOutcome, planned, START } from './under-test.ts';
import type { UseStore } from './use-store.ts';

/** shop runs when crm and till are done. */
const LAST: PlannedTask = { ...planned('shop'), waitsFor: ['crm', 'till'] };

export function casesOfOrder(use: UseStore): void {
  const erase = (target: string) => use().scene.work(target, (taskNo) => erasedOutcome(taskNo));
  const due = async () => {
    const { under, clock } = use();
    return (await under.store.targetsWithWork(clock.now)).toSorted();
  };
  const waitsFor = async (request: RequestKey) =>
    (await use().scene.task(request, 'shop')).waitsFor;

  it('keeps a task waiting until all tasks that it waits for are done, and says which those are', async () => {
    const { scene } = use();
    const request = await scene.started([LAST, planned('crm'), planned('till'), planned('log')]);
    expect(await due()).toEqual(['crm', 'log', 'till']);
    expect(await waitsFor(request)).toEqual(['crm', 'till']);
    await erase('log');
    await erase('crm');
    expect(await due()).toEqual(['till']);
    expect(await waitsFor(request)).toEqual(['till']);
    await erase('till');
    expect(await due()).toEqual(['shop']);
    expect(await waitsFor(request)).toEqual([]);
    await erase('shop');
    expect(await scene.statusOf(request)).toBe('completed');
  });

  it('continues the task when an operator has retained the one that it waits for', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([LAST, planned('crm')]);
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'over_cap', 5));
    expect(await due()).toEqual([]);
    expect(await waitsFor(request)).toEqual(['crm']);
    const { taskNo } = await scene.task(request, 'crm');
    const why = { reason: 'contract', legalBasis: 'law' };
    await under.operator.retain(taskNo, why, { ...BY, now: clock.now });
    expect(await due()).toEqual(['shop']);
  });

  it('waits for no task of another request', async () => {
    const { scene } = use();
    const first = await scene.started([LAST]);
    await scene.started([planned('crm')]);
    expect(await due()).toEqual(['crm', 'shop']);
    expect(await waitsFor(first)).toEqual([]);
  });

  it('does not say of a task that waits for a held one that it needs attention, until its deadline', async () => {
    const { scene, under, clock } = use();
    const request = await scene.started([LAST, planned('crm')]);
    await scene.work('crm', (taskNo) => heldOutcome(taskNo, 'over_cap', 5));
    const lines = async () =>
      (
        await under.tasks.attention({
          now: clock.now,
          limit: 10,
          cancellationWindowMs: 0,
          patientTargets: [],
        })
      ).map(({ target, reason }) => [target, reason]);
    expect(await lines()).toEqual([['crm', 'over_cap']]);
    clock.now = START + 60 * DAY;
    expect(await lines()).toEqual([
      ['shop', 'past_deadline'],
      ['crm', 'over_cap'],
    ]);
    expect(await scene.statusOf(request)).toBe('in_progress');
  });
}

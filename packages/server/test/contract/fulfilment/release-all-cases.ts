import { expect, it } from 'vitest';
import type { Store } from '../../../src/domain/store/store.ts';
import { releaseAllTasks } from '../../../src/operator/task/release-tasks.ts';
import { BY, heldOutcome, planned } from './under-test.ts';
import type { UseStore } from './use-store.ts';

export function casesOfReleasingAll(use: UseStore): void {
  it('a task that another operator has released since, and that is held again for another reason, is not released', async () => {
    const { under, scene, clock } = use();
    const first = await scene.started([planned('crm')]);
    const second = await scene.started([planned('crm')]);
    await scene.work('crm', (no) => heldOutcome(no, 'over_cap', 500));
    const { taskNo } = await scene.task(first, 'crm');
    const { taskNo: other } = await scene.task(second, 'crm');
    const { operator } = under;
    const tasks = {
      ...under.tasks,
      /** Between the list and the first release. */
      async tasks(query: Parameters<typeof under.tasks.tasks>[0]) {
        const listed = await under.tasks.tasks(query);
        if (query.state !== 'held') return listed;
        clock.now = BY.now;
        await operator.release(other, BY);
        await scene.work('crm', (no) => heldOutcome(no, 'shared', 700));
        return listed;
      },
    };
    const tenants = {} as Store['tenants'];
    const wanted = { target: 'crm', reason: 'over_cap' };
    const { released } = await releaseAllTasks({ tasks, operator, tenants }, [], wanted, BY);
    expect(released).toEqual([taskNo]);
    expect(await scene.task(second, 'crm')).toMatchObject({ state: 'held', reason: 'shared' });
  });
}

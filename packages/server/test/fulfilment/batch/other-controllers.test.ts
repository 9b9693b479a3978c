// "controllers" of a target was changed while tasks of a controller that it had waited: the target is another's now.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACME, GLOBEX } from '../../contract/fulfilment/under-test.ts';
import { aRow, aTarget, type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from '../batch-world.ts';

const JANE = 'jane@example.com';
const OTHERS = aTarget({ controllers: [GLOBEX] });

describe('a task at a target that is not for its controller any more', () => {
  let world: BatchWorld;
  beforeEach(async () => {
    world = await openBatchWorld();
    world.connector.rows = [aRow(JANE), aRow(JANE, GLOBEX)];
  });
  afterEach(() => world.close());

  async function runUntilHeld(first = 1): Promise<void> {
    for (let attempt = first; attempt <= 4; attempt++) {
      await world.run('crm', OTHERS);
      world.clock.now += FIRST_RETRY_MS * 2 ** attempt;
    }
  }

  it('is left to other nodes for three tries and held then, and the target is never asked about its person', async () => {
    const request = await world.erasureOf([JANE]);
    await world.run('crm', OTHERS);
    expect(await world.scene.task(request, 'crm')).toMatchObject({
      state: 'failed',
      reason: 'not_for_controller',
    });
    world.clock.now += FIRST_RETRY_MS;
    await runUntilHeld(2);
    const task = await world.scene.task(request, 'crm');
    expect(task).toMatchObject({ state: 'held', reason: 'target_removed' });
    expect(task.detail).toContain(`not for the controller ${ACME}`);
    expect(world.connector.calls).toEqual([]);
  });

  it('runs after a release when the controller was put back', async () => {
    const request = await world.erasureOf([JANE]);
    await runUntilHeld();
    const { taskNo } = await world.scene.task(request, 'crm');
    await world.under.operator.release(taskNo, { actor: 'operator:olga', now: world.clock.now });
    await world.run('crm', aTarget({ controllers: [GLOBEX, ACME] }));
    expect((await world.evidenceOf(request))?.action).toBe('erased');
  });

  it("does not keep tasks of the target's own controllers from running", async () => {
    await world.erasureOf([JANE]);
    const theirs = await world.erasureOf([JANE], { controllerId: GLOBEX });
    await world.run('crm', OTHERS);
    expect((await world.evidenceOf(theirs))?.action).toBe('erased');
    expect(world.connector.rows).toMatchObject([{ controllerId: ACME }]);
  });
});

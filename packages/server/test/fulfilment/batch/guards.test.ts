import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { ManualTargetConfig } from '../../../src/domain/target/target.ts';
import { BY } from '../../contract/fulfilment/under-test.ts';
import { aRow, aTarget, type BatchWorld, openBatchWorld } from '../batch-world.ts';

const JANE = 'jane@example.com';

describe('decisions for an operator', () => {
  let world: BatchWorld;
  const verbs = () => world.connector.calls.map(({ verb }) => verb);
  const rowsOf = (count: number) => Array.from({ length: count }, () => aRow(JANE));

  const open = async (changes: Parameters<typeof aTarget>[0] = {}) => {
    world = await openBatchWorld([aTarget(changes)]);
  };
  beforeEach(() => open({ maxRowsPerSubject: 3 }));
  afterEach(() => world.close());

  it('over the cap nothing is touched, and erase is never called for it', async () => {
    world.connector.rows = [...rowsOf(4), aRow('joe@example.com')];
    const jane = await world.erasureOf([JANE]);
    const joe = await world.erasureOf(['joe@example.com']);
    await world.run();
    const held = await world.scene.task(jane, 'crm');
    expect(held).toMatchObject({
      state: 'held',
      reason: 'over_cap',
      previewedRows: 4,
      counts: { customers: 4 },
      detail: expect.stringMatching(/^4 rows match, and max_rows_per_subject is 3; .*release/),
    });
    expect(world.connector.rows).toHaveLength(4);
    expect(await world.scene.statusOf(joe)).toBe('completed');
    const touched = world.connector.calls.filter(({ verb }) => verb !== 'preview');
    expect(touched.flatMap(({ taskNos }) => taskNos)).not.toContain(held.taskNo);
  });

  it('in preview mode every task is counted and held, also where nobody is found', async () => {
    await world.close();
    await open({ mode: 'preview' });
    world.connector.rows = rowsOf(2);
    const jane = await world.erasureOf([JANE]);
    const nobody = await world.erasureOf(['nobody@example.com']);
    await world.run();
    expect(await world.scene.task(jane, 'crm')).toMatchObject({
      state: 'held',
      reason: 'preview_mode',
      previewedRows: 2,
    });
    const empty = await world.scene.task(nobody, 'crm');
    expect(empty).toMatchObject({
      state: 'held',
      reason: 'preview_mode',
      previewedRows: 0,
      detail: expect.stringContaining('nothing of this person would be erased here'),
    });
    expect(world.connector.rows).toHaveLength(2);
    expect(verbs()).not.toContain('erase');
    await world.under.operator.release(empty.taskNo, BY);
    world.clock.now = BY.now;
    await world.run();
    expect(await world.evidenceOf(nobody)).toMatchObject({ action: 'not_found' });
  });

  async function heldOverCap() {
    world.connector.rows = rowsOf(4);
    const request = await world.erasureOf([JANE]);
    await world.run();
    await world.under.operator.release((await world.scene.task(request, 'crm')).taskNo, BY);
    world.clock.now = BY.now;
    return request;
  }

  it('after a release the previewed rows are erased', async () => {
    const request = await heldOverCap();
    await world.run();
    expect(world.connector.rows).toEqual([]);
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'erased',
      tables: { customers: { action: 'erase', rows: 4 } },
    });
  });

  it('after a release a task with more rows than previewed is held again, and nothing is changed', async () => {
    const request = await heldOverCap();
    world.connector.rows.push(aRow(JANE));
    await world.run();
    expect(await world.scene.task(request, 'crm')).toMatchObject({
      state: 'held',
      reason: 'more_than_previewed',
      previewedRows: 5,
      detail: expect.stringMatching(/^5 rows match, and 4 were released; .*release/),
    });
    expect(world.connector.rows).toHaveLength(5);
    expect(verbs()).not.toContain('erase');
  });

  it('a request without an identity that the target can use is held', async () => {
    const identities = [new Identity('controller_customer_id', '7')];
    const request = await world.erasureOf([], { identities });
    await world.run();
    expect(await world.scene.task(request, 'crm')).toMatchObject({
      state: 'held',
      reason: 'no_usable_identity',
      previewedRows: null,
    });
  });

  it('a task without a usable identity is skipped if the target says so, and the evidence names it', async () => {
    await world.close();
    await open({ whenUnmatched: 'skip' });
    const identities = [new Identity('controller_customer_id', '7')];
    const request = await world.erasureOf([], { identities });
    await world.run();
    expect(await world.scene.statusOf(request)).toBe('completed');
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'skipped',
      verified: 'not applicable',
      tables: {},
      note: 'the request has no identity that this target can use (when_unmatched: skip)',
    });
  });

  it('a task that a connector holds is held with its reason, and the others continue', async () => {
    world.connector.rows = [aRow(JANE), aRow('joe@example.com')];
    const [jane, joe] = [await world.erasureOf([JANE]), await world.erasureOf(['joe@example.com'])];
    const detail = 'orders would change too';
    world.connector.tricks.erase = async (honest) =>
      honest().with(0, { outcome: 'held', reason: 'unplanned_change', detail });
    await world.run();
    expect(await world.scene.task(jane, 'crm')).toMatchObject({
      state: 'held',
      reason: 'unplanned_change',
      detail,
      previewedRows: 1,
    });
    expect(await world.scene.statusOf(joe)).toBe('completed');
  });

  it('a target that is not in the configuration any more is held, and nothing is asked', async () => {
    const request = await world.erasureOf([JANE]);
    await world.runWithout();
    expect(await world.scene.task(request, 'crm')).toMatchObject({
      state: 'held',
      reason: 'target_removed',
      detail: expect.stringMatching(
        /^the target crm is not in the configuration any more; put it back/,
      ),
    });
    expect(world.connector.calls).toEqual([]);
  });

  it('a target that people work on by now can be confirmed', async () => {
    const request = await world.erasureOf([JANE]);
    const { file, options, ...common } = aTarget();
    const manual: ManualTargetConfig = { ...common, connector: 'manual', instructions: 'call Bob' };
    await world.run('crm', manual);
    const task = await world.scene.task(request, 'crm');
    expect(task).toMatchObject({ state: 'held', reason: 'manual', detail: 'call Bob' });
    await world.under.operator.confirm(task.taskNo, 'Bob did', BY);
    expect(await world.scene.statusOf(request)).toBe('completed');
  });
});

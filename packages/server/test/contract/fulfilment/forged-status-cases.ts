// What a controller is told as the end of its request is what the audit log says, whatever somebody wrote into its status.
import { expect, it } from 'vitest';
import type { RequestKey } from '../../../src/domain/request/request.ts';
import type { ServingStore } from '../../../src/domain/store/store.ts';
import { withProvenStatus } from '../../../src/store/proven-status.ts';
import { erasedOutcome, MINUTE, planned, START } from './under-test.ts';
import type { UseStore } from './use-store.ts';

export function casesOfForgedStatus(use: UseStore): void {
  let asked = 0;
  function serving(): Pick<ServingStore, 'read'> {
    const { under } = use();
    asked = 0;
    return withProvenStatus(under.requests as ServingStore, (...given) => {
      asked++;
      return under.loggedStatus(...given);
    });
  }
  const told = async (request: RequestKey) => (await serving().read(request))?.status;

  it.each([
    ['completed', `started_time = ${START}, completed_time = ${START}, receipted_time = ${START}`],
    ['cancelled', `cancelled_time = ${START}`],
  ])(
    'a pending request whose status was forged to %s is reported as pending',
    async (status, changes) => {
      const { under, scene } = use();
      const request = await scene.create();
      await under.tamper(`UPDATE @requests SET status = '${status}', ${changes}`);
      expect(await told(request)).toBe('pending');
    },
  );

  it('a request in progress whose status was forged to completed is reported as in progress', async () => {
    const { under, scene } = use();
    const request = await scene.started([planned('shop')]);
    await under.tamper(`UPDATE @requests SET status = 'completed', completed_time = ${START}`);
    expect(await told(request)).toBe('in_progress');
  });

  it('a cancelled request whose status was forged to completed is reported as cancelled', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    await under.requests.cancel({ ...request, actor: 'client:one' });
    await under.tamper(`UPDATE @requests SET status = 'completed', completed_time = ${START}`);
    expect(await told(request)).toBe('cancelled');
  });

  it('the end of a request is reported even if the clock was set back after it was received', async () => {
    const { under, scene, clock } = use();
    const completed = await scene.started([planned('shop')]);
    const cancelled = await scene.create();
    const batch = await scene.lease('shop');
    clock.now -= 10 * MINUTE;
    const outcomes = batch.tasks.map(({ taskNo }) => erasedOutcome(taskNo));
    await under.store.recordOutcomes(batch, outcomes, [], clock.now);
    await under.requests.cancel({ ...cancelled, actor: 'client:one' });
    expect([await told(completed), await told(cancelled)]).toEqual(['completed', 'cancelled']);
  });

  it('a record of a cut that is not ours does not make a forged status valid', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    await under.tamper(`INSERT INTO @audit_cuts
      (head_no, head_hash, last_audit_no, head_time, retention_ms, time, key_id, signature)
      SELECT 4000000000000000, created_mac, 0, 4000000000000, 0, 1, 'x', created_mac FROM @requests`);
    await under.tamper(`UPDATE @requests SET status = 'completed', completed_time = ${START}`);
    expect(await told(request)).toBe('pending');
  });

  it('asks the log once for each request that has ended, and never of others', async () => {
    const { under, scene } = use();
    const completed = await scene.started([planned('shop')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    const cancelled = await scene.create();
    await under.requests.cancel({ ...cancelled, actor: 'client:one' });
    const [pending, started] = [await scene.create(), await scene.started([planned('crm')])];
    const { read } = serving();
    for (let time = 0; time < 2; time++) {
      const states = await Promise.all([completed, cancelled, pending, started].map(read));
      expect(states.map((state) => state?.status)).toEqual([
        'completed',
        'cancelled',
        'pending',
        'in_progress',
      ]);
    }
    expect(asked).toBe(2);
  });

  it('the rows of another request say nothing of it', async () => {
    const { under, scene } = use();
    const request = await scene.create();
    const other = await scene.started([planned('shop')]);
    await scene.work('shop', (taskNo) => erasedOutcome(taskNo));
    await under.tamper(`UPDATE @requests SET status = 'completed', completed_time = ${START}`);
    expect(await told(other)).toBe('completed');
    expect(await told(request)).toBe('pending');
  });
}

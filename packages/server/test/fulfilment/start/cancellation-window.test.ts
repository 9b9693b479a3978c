// What may still be cancelled is not touched.
import { afterEach, describe, expect, it } from 'vitest';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { BY, HOUR } from '../../contract/fulfilment/under-test.ts';
import { makeController } from '../../helpers/http/controller.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';
import { until } from '../../helpers/until.ts';
import { type BatchWorld, openBatchWorld } from '../batch-world.ts';

describe('the cancellation window', () => {
  let world: BatchWorld | undefined;
  let service: TestService | undefined;
  afterEach(async () => {
    await world?.close();
    await service?.close();
    [world, service] = [undefined, undefined];
  });

  const openWorld = async () => {
    world = await openBatchWorld(undefined, undefined, undefined, undefined, HOUR);
    return world;
  };

  it('keeps the sweep from a request until its last millisecond has passed', async () => {
    const { scene, startDue, clock } = await openWorld();
    const request = await scene.create();
    clock.now += HOUR - 1;
    expect(await startDue()).toEqual({ started: 0, more: false });
    expect(await scene.statusOf(request)).toBe('pending');
    clock.now += 1;
    expect(await startDue()).toEqual({ started: 1, more: false });
    expect(await scene.statusOf(request)).toBe('in_progress');
  });

  it('is ended for one request by an operator who asks for its start, and for no other', async () => {
    const { scene, startDue, under } = await openWorld();
    const asked = await scene.create();
    const other = await scene.create();
    await under.operator.askStart(asked, BY);
    expect(await startDue()).toEqual({ started: 1, more: false });
    expect(await scene.statusOf(asked)).toBe('in_progress');
    expect(await scene.statusOf(other)).toBe('pending');
  });

  it('is kept by a server whose worker starts another request at the same time', async () => {
    service = await startService({ cancellationWindow: '1h' });
    const acme = await makeController(service, 'acme');
    const [other, asked] = [await acme.created(), await acme.created()];
    const statusOf = async (id: string) => (await acme.status(id)).body.request_status;
    const { operator } = service.installation.store;
    const by = { actor: 'operator:olga', now: Date.now() };
    const key = { controllerId: 'acme' as ControllerId, subjectRequestId: asked };
    await operator.askStart(key as Parameters<typeof operator.askStart>[0], by);
    await until(
      async () => (await statusOf(asked)) !== 'pending',
      () => 'it is not started',
    );
    expect(await statusOf(other)).toBe('pending');
    expect((await acme.cancel(other)).status).toBe(202);
  });
});

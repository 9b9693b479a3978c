// Use cases as an API for operators would call them: no command line around them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMasterKeyAccess } from '../../src/app/operator/access.ts';
import { NotPossible } from '../../src/domain/task/operator-ports.ts';
import { InvalidInput, NotFound } from '../../src/operator/failures.ts';
import { destroyKey } from '../../src/operator/keys/destroy-key.ts';
import { listKeys } from '../../src/operator/keys/list-keys.ts';
import { retryRequest, startRequest } from '../../src/operator/request/operate-request.ts';
import { shownRequestShape, showRequest } from '../../src/operator/request/show-request.ts';
import { pauseErasing, pauseShape, resumeErasing } from '../../src/operator/target/pauses.ts';
import { confirmTask } from '../../src/operator/task/end-task.ts';
import { listManualTasks, listTasks } from '../../src/operator/task/list-tasks.ts';
import { releaseTask } from '../../src/operator/task/release-tasks.ts';
import { makeController, type TestController } from '../helpers/http/controller.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';
import { until } from '../helpers/until.ts';

const EMAIL = 'jane.doe@example.com';
let service: TestService;
let acme: TestController;

beforeAll(async () => {
  service = await startService();
  acme = await makeController(service);
});
afterAll(() => service.close());

const by = () => ({ actor: 'operator:olga', now: service.installation.store.clock() });

/** Without targets, a person erases: the request has one held task. */
async function heldRequest(): Promise<{ id: string; task: string }> {
  const { store } = service.installation;
  const subject = { identity_type: 'email', identity_value: EMAIL, identity_format: 'raw' };
  const id = await acme.created({ subject_identities: [subject] });
  await startRequest(store, { id }, by());
  const held = async () =>
    (await showRequest(store, id, undefined)).tasks.find(({ state }) => state === 'held');
  await until(
    async () => (await held()) !== undefined,
    () => `request ${id} has no held task`,
  );
  return { id, task: String((await held())?.taskNo) };
}

describe('use cases for operators', () => {
  it('a request is shown as plain data, without who is meant', async () => {
    const { store } = service.installation;
    const { id } = await heldRequest();

    const shape = shownRequestShape(await showRequest(store, id, 'acme'));

    expect(JSON.parse(JSON.stringify(shape))).toEqual(shape);
    expect(shape).toMatchObject({ subject_request_id: id, request_status: 'in_progress' });
    expect(shape.history.map(({ action }) => action)).toContain('request.started');
    expect(JSON.stringify(shape)).not.toContain(EMAIL);
  });

  it('a name that does not exist is NotFound, in every list and action', async () => {
    const { store } = service.installation;
    const refused = [
      showRequest(store, 'none', undefined),
      retryRequest(store, { id: 'none' }, by()),
      listTasks(store, [], { controller: 'unknown', limit: 1 }),
      listTasks(store, [], { target: 'nowhere', limit: 1 }),
      pauseErasing(store, [], 'nowhere', by()),
      releaseTask(store, '999999', {}, by()),
    ];
    for (const outcome of await Promise.allSettled(refused)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(NotFound) });
    }
  });

  it('a note that names the person is refused by its field, and one that does not ends the task', async () => {
    const { installation } = service;
    const { store } = installation;
    const { id, task } = await heldRequest();
    const manual = await listManualTasks(store, [], { limit: 50 });
    expect(manual.map(({ taskNo }) => String(taskNo))).toContain(task);

    const named = confirmTask(installation, task, {}, `Erased ${EMAIL}`, by());
    await expect(named).rejects.toMatchObject({ name: 'InvalidInput', field: 'note' });
    await expect(named).rejects.toBeInstanceOf(InvalidInput);

    const { status } = await confirmTask(installation, task, {}, 'Erased by hand', by());
    expect(status).toBe('completed');
    await expect(retryRequest(store, { id }, by())).rejects.toBeInstanceOf(NotPossible);
  });

  it('a pause of everything is listed with who paused, and ends once', async () => {
    const { store } = service.installation;

    expect(await pauseErasing(store, [], undefined, by())).toBe(true);
    expect(await pauseErasing(store, [], undefined, by())).toBe(false);
    const pauses = (await store.pauses.list()).map(pauseShape);
    expect(pauses).toMatchObject([{ target: null, paused_by: 'operator:olga' }]);
    expect(await resumeErasing(store, undefined, by())).toBe(true);
    expect(await resumeErasing(store, undefined, by())).toBe(false);
  });

  it('the current master key is listed, and cannot be destroyed', async () => {
    const { store, vaultKeys } = service.installation;
    const access = createMasterKeyAccess(vaultKeys);
    const [key] = await listKeys(store, access, 0);
    expect(key).toMatchObject({ master_key: access.currentId(), state: 'current' });

    const parts = { store, access, retentionBackupsMs: 0 };
    await expect(destroyKey(parts, access.currentId(), true, by())).rejects.toBeInstanceOf(
      NotPossible,
    );
    await expect(destroyKey(parts, 'mk_none', true, by())).rejects.toBeInstanceOf(NotFound);
  });
});

// A request does not complete while its rows are still there, although the endpoint reports them as erased.
import { afterEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { type Crm, crmTarget, NO_FAULT, startCrm } from './set-up/crm.ts';
import { makeInstallation, type TestInstallation } from './set-up/installation.ts';

const EMAIL = 'jane@example.com';
let folder: TemporaryFolder;
let unwrite: TestInstallation;
const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
  await unwrite.kill('SIGTERM');
  for (const close of closings.splice(0)) await close();
  folder.remove();
});

async function install(targets: string): Promise<void> {
  unwrite = await makeInstallation(folder.path, `cancellation_window: 0s\ntargets:\n${targets}`);
  await unwrite.start();
}

interface Task {
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
}

const taskOf = async (id: string): Promise<Task | undefined> =>
  (await unwrite.command('task', 'list', '--request', id))[0];

async function untilAttempts(id: string, reason: string, attempts: number): Promise<void> {
  let task: Task | undefined;
  const isThere = async () => {
    task = await taskOf(id);
    return task?.state === 'failed' && task.reason === reason && task.attempts >= attempts;
  };
  await until(isThere, () => `the task is ${JSON.stringify(task)}`);
}

describe('an endpoint that says "erased" and has the person still', () => {
  async function startLiar(lie: Crm['fault']): Promise<Crm> {
    folder = makeTemporaryFolder();
    const crm = await startCrm([EMAIL], lie);
    closings.push(crm.close);
    await install(crmTarget(crm.url));
    return crm;
  }

  it('is found out by the second look, tried again, shown to operators, and never completed', async () => {
    const crm = await startLiar(({ action, subjects }) =>
      action === 'erase'
        ? { subjects: subjects.map(({ ref }) => ({ ref, erased: { people: 1 } })) }
        : undefined,
    );
    const id = await unwrite.submit('acme', [['email', EMAIL]]);
    await untilAttempts(id, 'still_there', 2);
    expect(await unwrite.status('acme', id)).toBe('in_progress');
    expect(await unwrite.command('request', 'list', '--attention')).toMatchObject([
      // It may just be tried again.
      { subject_request_id: id, target: 'crm', reason: 'still_there' },
    ]);
    crm.fault = NO_FAULT;
    await unwrite.untilCompleted('acme', [id]);
    expect(crm.people.size).toBe(0);
  });

  it('is found out even if it says that there was nothing to erase', async () => {
    const crm = await startLiar(({ action, subjects }) =>
      action === 'preview'
        ? { subjects: subjects.map(({ ref }) => ({ ref, found: {} })) }
        : undefined,
    );
    const id = await unwrite.submit('acme', [['email', EMAIL]]);
    await untilAttempts(id, 'still_there', 1);
    expect(await unwrite.status('acme', id)).toBe('in_progress');
    crm.fault = NO_FAULT;
    await unwrite.untilCompleted('acme', [id]);
    expect(crm.people.size).toBe(0);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useShop } from '../use-shop.ts';

const shop = useShop({ cancellation_window: '1h' });
const { unwrite, json, submit, addRows, rowsOf, untilTask, untilTasks, audited } = shop;

describe('--as', () => {
  it.each(['client:nightly', ' olga', 'ol\u202ega', ''])('refuses the name %j', async (name) => {
    const { exitCode, stderr } = await unwrite('resume', '--as', name);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain('not begin with "client:"');
  });
});

describe('unwrite request start', () => {
  it('starts a pending request now, whatever the case of its id', async () => {
    addRows('acme', 'jane@example.com', 1);
    const id = await submit('acme', [['email', 'jane@example.com']]);
    const { exitCode, stdout } = await unwrite(
      'request',
      'start',
      id.toUpperCase(),
      '--as',
      'olga',
    );
    expect(stdout).toMatch(new RegExp(`^Request ${id} is (in_progress|completed)\\.\n$`));
    expect(exitCode).toBe(0);
    await untilTask(id, 'acme', 'erased');
    expect(rowsOf('acme', 'jane@example.com')).toBe(0);
    expect(await audited(id, 'acme', 'request.start_asked')).toEqual([
      { actor: 'operator:olga', detail: null },
    ]);
    const again = await unwrite('request', 'start', id);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      `unwrite: request ${id} is completed and cannot be started; only pending ones are\n`,
    ]);
  });

  it('starts the one of the controller that is named, and prints JSON for scripts', async () => {
    const id = await submit('acme', [['email', 'shared@example.com']]);
    await submit('globex', [['email', 'shared@example.com']], id);
    const unnamed = await unwrite('request', 'start', id);
    expect(unnamed.exitCode).toBe(1);
    expect(unnamed.stderr).toContain('several controllers use this id (acme, globex)');
    const started = await json('request', 'start', id.toUpperCase(), '--controller', 'globex');
    expect(started).toEqual({ subject_request_id: id, request_status: 'in_progress' });
    const other = await json('request', 'show', id, '--controller', 'acme');
    expect(other).toMatchObject({ request_status: 'pending', plan: null, tasks: [] });
  });

  it.each(['start', 'retry'])(
    '%s refuses a cancelled request, and one that does not exist',
    async (verb) => {
      const id = await submit('acme', []);
      await shop.cancel('acme', id);
      const { exitCode, stderr } = await unwrite('request', verb, id);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`request ${id} is cancelled and cannot be`);
      const none = await unwrite('request', verb, 'x');
      expect([none.exitCode, none.stderr]).toEqual([1, 'unwrite: there is no request x\n']);
      expect((await unwrite('request', verb)).exitCode).toBe(2);
    },
  );
});

describe('unwrite request retry', () => {
  it('tries at once what would have waited for an hour', async () => {
    const id = await submit('umbrella', [['email', 'jane@example.com']]);
    const early = await unwrite('request', 'retry', id);
    expect([early.exitCode, early.stderr]).toEqual([
      1,
      `unwrite: request ${id} is pending and cannot be retried; only those in progress are\n`,
    ]);
    await json('request', 'start', id);
    await untilTasks(id, 'umbrella', 'waiting', 'erased');
    shop.makeDatabase('archive');
    const { exitCode, stdout } = await unwrite('request', 'retry', id, '--as', 'olga');
    expect(stdout).toBe(
      '1 task is due now. Held tasks are not retried: see "unwrite task list".\n',
    );
    expect(exitCode).toBe(0);
    await untilTasks(id, 'umbrella', 'erased', 'erased');
    expect(await audited(id, 'umbrella', 'request.retried')).toEqual([
      { actor: 'operator:olga', detail: null },
    ]);
  });
});

describe('without a server', () => {
  it('actions of operators are recorded, and carried out when a server runs', async () => {
    const id = await submit('acme', [['email', 'later@example.com']]);
    await shop.server().kill('SIGTERM');
    const { exitCode, stdout } = await unwrite('request', 'start', id);
    expect(stdout).toBe(
      `Start requested. Request ${id} starts as soon as the server runs ("unwrite serve").\n`,
    );
    expect(exitCode).toBe(0);
    await shop.serveAgain();
    await untilTask(id, 'acme', 'erased');
    expect((await unwrite('request', 'show', randomUUID())).exitCode).toBe(1);
  });
});

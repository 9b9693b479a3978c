// Errors that no connector should throw may quote what they stumbled over: a person, or a row.
import { afterEach, describe, expect, it } from 'vitest';
import { aRow, aTarget, type BatchWorld, openBatchWorld } from '../batch-world.ts';

const JANE = 'jane@example.com';

describe('an error that a connector throws unexpectedly', () => {
  let world: BatchWorld;
  afterEach(() => world.close());

  it.each([
    ['TypeError', new TypeError(`cannot read ${JANE}`)],
    ['RangeError', new RangeError(`${JANE} is too long`)],
    ['unknown', Object.assign(new Error(`${JANE} is odd`), { name: JANE, code: JANE })],
    ['unknown', JANE],
  ])('is reported by its kind (%s), and never by its words', async (kind, error) => {
    world = await openBatchWorld();
    world.connector.rows = [aRow(JANE)];
    world.connector.tricks.preview = () => Promise.reject(error);
    const request = await world.erasureOf([JANE]);
    const isLoaded = world.createRun();
    const isNot = world.createRun(undefined, () => Promise.reject(error));
    for (const [run, code] of [
      [isLoaded, 'connector_error'],
      [isNot, 'unexpected_error'],
    ] as const) {
      const { down } = await run(await world.scene.lease('crm'), aTarget());
      expect(down).toMatchObject({ code });
      const task = await world.scene.task(request, 'crm');
      expect(task).toMatchObject({ state: 'waiting', reason: code });
      expect(task.detail).toContain(`(${kind})`);
      const said = [task, down?.message, await world.under.audit(request)];
      expect(JSON.stringify(said)).not.toContain('jane');
    }
  });
});

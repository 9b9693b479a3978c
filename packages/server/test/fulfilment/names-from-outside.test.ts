// A target may call its tables whatever it likes: a name that every plain object seems to have is a name
// like any other, from the preview to the evidence.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byName } from '../../src/domain/by-name.ts';
import type { Preview, Verdict } from '../../src/domain/target/connector.ts';
import { type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from './batch-world.ts';

const NAMES = Object.getOwnPropertyNames(Object.prototype);
const ROWS = 2;

describe('a table with a name of every plain object', () => {
  let world: BatchWorld;
  let verdict: Verdict;
  beforeEach(async () => {
    world = await openBatchWorld();
    verdict = { outcome: 'gone', how: 'requeried' };
    world.connector.tricks = {
      preview: async (_, subjects) => subjects.map(found),
      erase: async (_, orders) => orders.map(({ counts }) => ({ outcome: 'erased', counts })),
      verify: async (_, orders) => orders.map(() => verdict),
    };
  });
  afterEach(() => world.close());

  function found(): Preview {
    const counts = byName(NAMES.map((name) => [name, ROWS] as const));
    return { outcome: 'found', counts, retained: {}, keys: {}, sharedWith: [] };
  }

  const all = NAMES.map((name) => [name, { action: 'erase', rows: ROWS }]);

  it('is counted, erased and in the evidence', async () => {
    const request = await world.erasureOf(['jane@example.com']);
    await world.run();
    expect(world.connector.calls.map(({ verb }) => verb)).toEqual(['preview', 'erase', 'verify']);
    const evidence = await world.evidenceOf(request);
    expect(evidence?.action).toBe('erased');
    expect(Object.entries(evidence?.tables ?? {})).toEqual(all);
  });

  it('is also counted by a second attempt, together with the intent of the first', async () => {
    verdict = { outcome: 'remains', counts: byName(NAMES.map((name) => [name, 1] as const)) };
    const request = await world.erasureOf(['jane@example.com']);
    await world.run();
    const task = await world.scene.task(request, 'crm');
    expect(task).toMatchObject({ state: 'failed', reason: 'still_there' });
    for (const name of NAMES) expect(task.detail).toContain(`1 in ${name}`);

    verdict = { outcome: 'gone', how: 'requeried' };
    world.clock.now += FIRST_RETRY_MS;
    await world.run();
    const evidence = await world.evidenceOf(request);
    expect(Object.entries(evidence?.tables ?? {})).toEqual(all);
  });

  it('counts towards the rows that are allowed', async () => {
    const capped = await openBatchWorld();
    try {
      capped.connector.tricks = {
        preview: async () => [{ ...found(), counts: byName([['toString', 101]]) } as Preview],
      };
      const request = await capped.erasureOf(['jane@example.com']);
      await capped.run();
      expect(await capped.scene.task(request, 'crm')).toMatchObject({
        state: 'held',
        reason: 'over_cap',
        previewedRows: 101,
      });
    } finally {
      await capped.close();
    }
  });
});

describe('numbers that cannot be added up', () => {
  it.each([
    [byName([['orders', Number.MAX_SAFE_INTEGER]])],
    [byName([['orders', 1.5]])],
    [byName([['orders', -1]])],
    [byName(Array.from({ length: 200 }, (_, n) => [`t${n}`, Number.MAX_SAFE_INTEGER] as const))],
  ])('are refused as a bad answer, whichever connector gives them', async (counts) => {
    const world = await openBatchWorld();
    try {
      world.connector.tricks.preview = async (_, subjects) =>
        subjects.map(() => ({
          outcome: 'found',
          counts,
          retained: {},
          keys: {},
          sharedWith: [],
        }));
      const request = await world.erasureOf(['jane@example.com']);
      await world.run();
      expect(await world.scene.task(request, 'crm')).toMatchObject({
        state: 'failed',
        reason: 'bad_answer',
        counts: null,
      });
    } finally {
      await world.close();
    }
  });
});

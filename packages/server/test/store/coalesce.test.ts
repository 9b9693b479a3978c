import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../../src/domain/store/store-unavailable.ts';
import { type CoalesceOptions, createCoalescer } from '../../src/store/coalesce.ts';

interface Batch {
  readonly items: number[];
  succeed(): void;
  fail(reason: Error): void;
}

/** A coalescer whose batches end when the test says so; outcomes are the items as text. */
function createWatched(limits: Partial<CoalesceOptions<number, string>> = {}) {
  const batches: Batch[] = [];
  let announce: (() => void) | undefined;
  const coalescer = createCoalescer<number, string>({
    maxBatch: 4,
    maxInFlight: 1,
    maxWaiting: 100,
    ...limits,
    run: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, succeed: () => resolve(items.map(String)), fail: reject });
        announce?.();
      }),
  });
  async function batch(index: number): Promise<Batch> {
    for (;;) {
      const found = batches[index];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        announce = resolve;
      });
    }
  }
  return { ...coalescer, batches, batch };
}

async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a coalescer', () => {
  it('sends a single item at once, without a timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] });
    const { submit, batch } = createWatched();
    const outcome = submit(1);
    (await batch(0)).succeed();
    expect(await outcome).toBe('1');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('puts items of one event-loop iteration into one batch', async () => {
    const { submit, batch, batches } = createWatched();
    const outcomes = Promise.all([submit(1), submit(2), submit(3)]);
    (await batch(0)).succeed();
    expect(await outcomes).toEqual(['1', '2', '3']);
    expect(batches).toHaveLength(1);
  });

  it('lets items that arrive during a batch share the next one, in order', async () => {
    const { submit, batch } = createWatched();
    const first = submit(1);
    const running = await batch(0);
    const later = Promise.all([submit(2), submit(3)]);
    running.succeed();
    const next = await batch(1);
    expect(next.items).toEqual([2, 3]);
    next.succeed();
    expect(await first).toBe('1');
    expect(await later).toEqual(['2', '3']);
  });

  it('never makes a batch larger than allowed, and loses no item', async () => {
    const { submit, batch, batches } = createWatched();
    const outcomes = Promise.all(Array.from({ length: 10 }, (_, index) => submit(index)));
    for (let index = 0; index < 3; index++) (await batch(index)).succeed();
    expect(await outcomes).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(batches.map(({ items }) => items.length)).toEqual([4, 4, 2]);
  });

  it('has no more batches in flight than allowed', async () => {
    const { submit, batch, batches } = createWatched({ maxInFlight: 2 });
    const outcomes = Promise.all(Array.from({ length: 12 }, (_, index) => submit(index)));
    await batch(1);
    expect(batches).toHaveLength(2);
    (await batch(1)).succeed();
    await batch(2);
    expect(batches).toHaveLength(3);
    (await batch(0)).succeed();
    (await batch(2)).succeed();
    expect(await outcomes).toHaveLength(12);
  });

  it('sends a second batch only when enough items wait for it', async () => {
    const { submit, batch, batches } = createWatched({
      maxInFlight: 2,
      beside: { items: 3, ms: 60_000 },
    });
    const first = submit(0);
    await batch(0);
    const later = [submit(1), submit(2)];
    await nextTurns();
    expect(batches).toHaveLength(1);
    later.push(submit(3));
    expect((await batch(1)).items).toEqual([1, 2, 3]);
    const last = submit(4);
    (await batch(0)).succeed();
    (await batch(1)).succeed();
    (await batch(2)).succeed();
    expect(await Promise.all([first, ...later, last])).toEqual(['0', '1', '2', '3', '4']);
  });

  it('sends a second batch while another takes long', async () => {
    const { submit, batch } = createWatched({ maxInFlight: 2, beside: { items: 100, ms: 20 } });
    const first = submit(0);
    const stuck = await batch(0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const second = submit(1);
    (await batch(1)).succeed();
    expect(await second).toBe('1');
    stuck.succeed();
    expect(await first).toBe('0');
  });

  it('sends waiting items before it reports the outcomes', async () => {
    const { submit, batch, batches } = createWatched();
    let batchesWhenTold = 0;
    const first = submit(0).then(() => {
      batchesWhenTold = batches.length;
    });
    const running = await batch(0);
    const second = submit(1);
    running.succeed();
    await first;
    expect(batchesWhenTold).toBe(2);
    (await batch(1)).succeed();
    await second;
  });

  it('rejects the items of a batch that fails, and only those', async () => {
    const { submit, batch } = createWatched({ maxInFlight: 2 });
    const outcomes = Promise.allSettled(Array.from({ length: 6 }, (_, index) => submit(index)));
    (await batch(0)).fail(new Error('disk full'));
    (await batch(1)).succeed();
    expect((await outcomes).map(({ status }) => status)).toEqual([
      ...Array(4).fill('rejected'),
      ...Array(2).fill('fulfilled'),
    ]);
  });

  it('works on after a failure', async () => {
    const { submit, batch } = createWatched();
    const failed = submit(1);
    (await batch(0)).fail(new Error('disk full'));
    await expect(failed).rejects.toThrow('disk full');
    const next = submit(2);
    (await batch(1)).succeed();
    expect(await next).toBe('2');
  });

  it('refuses at once if too many items wait or are in flight, and accepts more when there is room', async () => {
    const { submit, batch } = createWatched({ maxWaiting: 3 });
    const first = submit(0);
    const running = await batch(0);
    const waiting = [submit(1), submit(2)];
    await expect(submit(3)).rejects.toThrow(StoreUnavailable);
    running.succeed();
    const next = await batch(1);
    const more = submit(4);
    next.succeed();
    (await batch(2)).succeed();
    expect(await Promise.all([first, ...waiting, more])).toEqual(['0', '1', '2', '4']);
  });

  it('is drained when nothing is waiting or in flight, not before', async () => {
    const { submit, batch, drained } = createWatched();
    await drained();
    const outcome = submit(1);
    let isDrained = false;
    const end = drained().then(() => {
      isDrained = true;
    });
    const running = await batch(0);
    expect(isDrained).toBe(false);
    const second = submit(2);
    running.succeed();
    await outcome;
    const last = await batch(1);
    expect(isDrained).toBe(false);
    last.succeed();
    await second;
    await end;
  });

  it('has no more items in flight than allowed', async () => {
    const { submit, batch, batches } = createWatched({ maxInFlight: 9, maxItemsInFlight: 8 });
    const outcomes = Promise.all(Array.from({ length: 12 }, (_, index) => submit(index)));
    (await batch(1)).succeed();
    expect(batches).toHaveLength(2);
    (await batch(0)).succeed();
    (await batch(2)).succeed();
    expect(await outcomes).toHaveLength(12);
  });

  it('gives all controllers the same share of a batch, however many items came first', async () => {
    const { submit, batch } = createWatched({ shareOf: (item) => String(Math.floor(item / 100)) });
    const first = submit(0);
    const running = await batch(0);
    const outcomes = Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 100, 101, 200].map(submit));
    running.succeed();
    const second = await batch(1);
    expect(second.items).toEqual([1, 100, 200, 2]);
    second.succeed();
    const third = await batch(2);
    expect(third.items).toEqual([101, 3, 4, 5]);
    third.succeed();
    (await batch(3)).succeed();
    expect(await first).toBe('0');
    expect(await outcomes).toHaveLength(11);
  });

  it('refuses controllers with the largest share when too many requests wait', async () => {
    const shareOf = (item: number) => String(Math.floor(item / 100));
    const { submit, batch } = createWatched({ maxWaiting: 6, maxBatch: 100, shareOf });
    const first = submit(0);
    const running = await batch(0);
    const flood = [1, 2, 3, 4, 5].map(submit);
    await expect(submit(6)).rejects.toThrow(StoreUnavailable);
    const others = [submit(100), submit(101), submit(200)];
    await expect(submit(7)).rejects.toThrow(StoreUnavailable);
    running.succeed();
    (await batch(1)).succeed();
    expect(await Promise.all([first, ...flood, ...others])).toHaveLength(9);
  });
});

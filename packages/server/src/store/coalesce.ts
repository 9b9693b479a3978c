// Puts together what arrives in one turn of the event loop, and, while enough is under way, what arrives
// meanwhile. Alone, an item waits for nobody: there is no timer. The writer of a store then commits as much
// as it can at once: one transaction of sixty-four creates costs a fifth of sixty-four of one.
import { StoreUnavailable } from '../domain/store-unavailable.ts';

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (outcome: Out) => void;
  readonly reject: (reason: unknown) => void;
}

export interface CoalesceOptions<In, Out> {
  /** Answers in the order of the items. A rejection rejects every item of the batch. */
  readonly run: (items: In[]) => Promise<Out[]>;
  readonly maxBatch: number;
  /** Batches that may be under way at once; what arrives meanwhile waits and shares the next. */
  readonly maxInFlight: number;
  /** Items waiting or under way. Beyond this, saying so at once is kinder than a timeout. */
  readonly maxWaiting: number;
}

export interface Coalescer<In, Out> {
  submit(item: In): Promise<Out>;
  /** Resolves when nothing waits or is under way. */
  drained(): Promise<void>;
}

export function createCoalescer<In, Out>(options: CoalesceOptions<In, Out>): Coalescer<In, Out> {
  const { run, maxBatch, maxInFlight, maxWaiting } = options;
  let waiting: Waiting<In, Out>[] = [];
  let inFlight = 0;
  let itemsInFlight = 0;
  let scheduled = false;
  let whenDrained: (() => void)[] = [];

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight) return;
    scheduled = true;
    // The end of this turn of the event loop: what this turn has read from sockets goes together.
    setImmediate(dispatch);
  }

  function dispatch(): void {
    scheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const batch = waiting.length <= maxBatch ? waiting : waiting.slice(0, maxBatch);
      waiting = waiting.length <= maxBatch ? [] : waiting.slice(maxBatch);
      inFlight++;
      itemsInFlight += batch.length;
      void settle(batch);
    }
  }

  async function settle(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const outcomes = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as Out);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    inFlight--;
    itemsInFlight -= batch.length;
    if (waiting.length > 0) schedule();
    else if (inFlight === 0) {
      for (const done of whenDrained) done();
      whenDrained = [];
    }
  }

  return {
    submit(item) {
      if (waiting.length + itemsInFlight >= maxWaiting) {
        return Promise.reject(new StoreUnavailable('too many requests are waiting for the store'));
      }
      return new Promise<Out>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      });
    },
    drained() {
      if (waiting.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => whenDrained.push(resolve));
    },
  };
}

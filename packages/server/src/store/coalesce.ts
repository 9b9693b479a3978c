// Batches items that arrive in one event-loop iteration and, while enough is in flight, those that arrive
// meanwhile. A single item does not wait: there is no timer. The store's writer then commits as many as it can
// at once: one transaction with 64 creates costs a fifth of 64 transactions.
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';
import { createFairQueue } from './fair-queue.ts';

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (outcome: Out) => void;
  readonly reject: (reason: unknown) => void;
}

export type Ran = (items: number, ms: number) => void;

export interface CoalesceOptions<In, Out> {
  /** Returns the answers in the order of the items. If it rejects, every item of the batch is rejected. */
  readonly run: (items: In[]) => Promise<Out[]>;
  readonly maxBatch: number;
  /** Maximum number of batches at once. Items that arrive meanwhile wait and share the next batch. */
  readonly maxInFlight: number;
  /**
   * While another batch is in flight, the next one is sent only when this many items wait or this much time
   * has passed.
   */
  readonly beside?: { readonly items: number; readonly ms: number };
  /** Maximum number of items in flight, in all batches together. */
  readonly maxItemsInFlight?: number;
  /**
   * Maximum number of items that wait or are in flight. Beyond it, items are refused at once, which is
   * better than a timeout, except those of a controller that has less than its share of the queue.
   */
  readonly maxWaiting: number;
  /**
   * The controller of an item: if not all waiting items fit into a batch, every controller gets the same share of it.
   */
  readonly shareOf?: (item: In) => string;
  /** Told of each batch when it has ended. */
  readonly ran?: Ran | undefined;
}

export interface Coalescer<In, Out> {
  submit(item: In): Promise<Out>;
  /** Resolves when nothing is waiting or in flight. */
  drained(): Promise<void>;
}

const AT_ONCE = { items: 1, ms: 0 };

export function createCoalescer<In, Out>(options: CoalesceOptions<In, Out>): Coalescer<In, Out> {
  const { run, maxBatch, maxInFlight, maxWaiting, beside = AT_ONCE } = options;
  const { maxItemsInFlight = Number.POSITIVE_INFINITY, shareOf = () => '' } = options;
  const { ran = () => undefined } = options;
  const waiting = createFairQueue<Waiting<In, Out>>();
  let inFlight = 0;
  let itemsInFlight = 0;
  let scheduled = false;
  let lastGone = 0;
  let whenDrained: (() => void)[] = [];

  function mayGo(): boolean {
    if (waiting.length === 0 || inFlight >= maxInFlight) return false;
    if (itemsInFlight >= maxItemsInFlight) return false;
    if (inFlight === 0 || waiting.length >= beside.items) return true;
    return performance.now() - lastGone >= beside.ms;
  }

  function schedule(): void {
    if (scheduled || !mayGo()) return;
    scheduled = true;
    // At the end of this event-loop iteration, so that everything it read from sockets is sent together.
    setImmediate(dispatch);
  }

  function dispatch(): void {
    scheduled = false;
    while (mayGo()) {
      const batch = waiting.take(maxBatch);
      inFlight++;
      itemsInFlight += batch.length;
      lastGone = performance.now();
      void settle(batch);
    }
  }

  async function settle(batch: Waiting<In, Out>[]): Promise<void> {
    const begun = performance.now();
    const tell = await run(batch.map(({ item }) => item)).then(
      (outcomes) => (one: Waiting<In, Out>, index: number) => one.resolve(outcomes[index] as Out),
      (error: unknown) => (one: Waiting<In, Out>) => one.reject(error),
    );
    ran(batch.length, performance.now() - begun);
    inFlight--;
    itemsInFlight -= batch.length;
    // Send waiting items first: the store works on them while the callers of this batch are answered.
    if (!scheduled) dispatch();
    batch.forEach(tell);
    if (waiting.length > 0 || inFlight > 0) return;
    for (const done of whenDrained) done();
    whenDrained = [];
  }

  return {
    submit(item) {
      const share = shareOf(item);
      if (waiting.length + itemsInFlight >= maxWaiting && waiting.hasFairShare(share, maxWaiting)) {
        return Promise.reject(new StoreUnavailable('too many requests are waiting for the store'));
      }
      return new Promise<Out>((resolve, reject) => {
        waiting.push(share, { item, resolve, reject });
        schedule();
      });
    },
    drained() {
      if (waiting.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => whenDrained.push(resolve));
    },
  };
}

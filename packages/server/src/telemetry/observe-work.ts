// What a worker measures: batches, and the calls of connectors. Of errors only that there was one is kept: their text may
// quote data.
import type { Observe } from '../domain/observation.ts';
import type { Connector } from '../domain/target/connector.ts';

/** Creates and cancels, by what the store writes together. */
export function observeWrites(observe: Observe): (items: number, ms: number) => void {
  return (items, ms) => {
    observe('unwrite_store_write_requests', [], items);
    observe('unwrite_store_write_duration_seconds', [], ms / 1000);
  };
}

export function observeTransactions(observe: Observe): (ms: number) => void {
  return (ms) => observe('unwrite_store_transaction_duration_seconds', [], ms / 1000);
}

type RunBatch<Batch, Rest extends unknown[], Result> = (
  batch: Batch,
  ...rest: Rest
) => Promise<Result>;

export function observeBatches<
  Batch extends { readonly target: string; readonly tasks: readonly unknown[] },
  Rest extends unknown[],
  Result extends { readonly down: unknown },
>(runBatch: RunBatch<Batch, Rest, Result>, observe: Observe): RunBatch<Batch, Rest, Result> {
  return async (batch, ...rest) => {
    const { target, tasks } = batch;
    observe('unwrite_batch_tasks', [target], tasks.length);
    const ended = (outcome: string, seconds: number) =>
      observe('unwrite_batch_duration_seconds', [target, outcome], seconds);
    return timed(
      () => runBatch(batch, ...rest),
      // Cut short: another worker has it, or the store is away.
      (result, seconds) =>
        ended(result === undefined ? 'abandoned' : result.down ? 'target_down' : 'done', seconds),
    );
  };
}

export function observeConnector(
  target: string,
  connector: Connector,
  observe: Observe,
): Connector {
  const timedCall = <Args extends unknown[], Result>(
    call: string,
    work: (...args: Args) => Promise<Result>,
  ) => {
    return (...args: Args): Promise<Result> =>
      timed(
        () => work.apply(connector, args),
        (result, seconds) => {
          const outcome = result === undefined ? 'failed' : 'answered';
          observe('unwrite_connector_call_duration_seconds', [target, call, outcome], seconds);
        },
      );
  };
  const { gate, resolve, endOf, describePlan } = connector;
  return {
    ...(connector.isAtomic !== undefined && { isAtomic: connector.isAtomic }),
    ...(describePlan !== undefined && { describePlan: () => describePlan.call(connector) }),
    ...(gate !== undefined && { gate: timedCall('gate', gate) }),
    ...(resolve !== undefined && { resolve: timedCall('resolve', resolve) }),
    ...(endOf !== undefined && { endOf: (names) => endOf.call(connector, names) }),
    check: timedCall('check', connector.check),
    preview: timedCall('preview', connector.preview),
    erase: timedCall('erase', connector.erase),
    verify: timedCall('verify', connector.verify),
    close: () => connector.close(),
  };
}

/** `ended` gets no result if the work throws. */
async function timed<Result>(
  work: () => Promise<Result>,
  ended: (result: Result | undefined, seconds: number) => void,
): Promise<Result> {
  const begun = performance.now();
  let result: Result | undefined;
  try {
    result = await work();
    return result;
  } finally {
    ended(result, (performance.now() - begun) / 1000);
  }
}

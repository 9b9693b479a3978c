// What a worker measures and traces: batches, and the calls of connectors. Of errors only that there was one is kept: their text may
// quote data.
import type { Observe } from '../domain/observation.ts';
import type { Connector } from '../domain/target/connector.ts';
import { type Attributes, KIND, withSpan } from './trace.ts';

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
    const attributes = { 'unwrite.target': target, 'unwrite.tasks': tasks.length };
    return timed(
      { name: 'batch', kind: KIND.internal, attributes },
      () => runBatch(batch, ...rest),
      // Without a result it was cut short: another worker has it, or the store is away.
      (result) => (result === undefined ? 'abandoned' : result.down ? 'target_down' : 'done'),
      (outcome, seconds) => observe('unwrite_batch_duration_seconds', [target, outcome], seconds),
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
        { name: call, kind: KIND.client, attributes: { 'unwrite.target': target } },
        () => work.apply(connector, args),
        (result) => (result === undefined ? 'failed' : 'answered'),
        (outcome, seconds) =>
          observe('unwrite_connector_call_duration_seconds', [target, call, outcome], seconds),
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

interface NewSpan {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Attributes;
}

/** `outcomeOf` gets no result if the work throws. */
function timed<Result>(
  { name, kind, attributes }: NewSpan,
  work: () => Promise<Result>,
  outcomeOf: (result: Result | undefined) => string,
  ended: (outcome: string, seconds: number) => void,
): Promise<Result> {
  return withSpan(name, kind, attributes, async (note) => {
    const begun = performance.now();
    let result: Result | undefined;
    try {
      result = await work();
      return result;
    } finally {
      const outcome = outcomeOf(result);
      note('unwrite.outcome', outcome);
      ended(outcome, (performance.now() - begun) / 1000);
    }
  });
}

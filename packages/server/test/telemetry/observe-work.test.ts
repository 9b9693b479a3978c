import { describe, expect, it } from 'vitest';
import type { Observation, Observe } from '../../src/domain/observation.ts';
import type { Connector } from '../../src/domain/target/connector.ts';
import { TargetDown } from '../../src/domain/target/connector.ts';
import { observeBatches, observeConnector } from '../../src/telemetry/observe-work.ts';
import { eraseFound } from '../helpers/erase-found.ts';

function recorder() {
  const observed: Observation[] = [];
  const observe: Observe = (...one) => void observed.push(one);
  /** Without how long it took. */
  const seen = () => observed.map(([name, values]) => [name, ...values].join(' '));
  return { observed, observe, seen };
}

const answering: Connector = {
  isAtomic: true,
  check: async () => [],
  preview: async () => [],
  erase: async () => [{ outcome: 'erased', counts: { customers: 1 } }],
  verify: async () => {
    throw new Error('jane@example.com has no row');
  },
  close: async () => undefined,
};

describe('calls of a connector', () => {
  it('are measured by target, call and outcome, and answer what the connector answers', async () => {
    const { observe, observed, seen } = recorder();
    const connector = observeConnector('shop', answering, observe);
    expect(await eraseFound(connector, [])).toEqual([
      { outcome: 'erased', counts: { customers: 1 } },
    ]);
    await expect(connector.verify([])).rejects.toThrow('jane@example.com');
    expect(seen()).toEqual([
      'unwrite_connector_call_duration_seconds shop erase answered',
      'unwrite_connector_call_duration_seconds shop verify failed',
    ]);
    expect(JSON.stringify(observed)).not.toContain('jane');
  });

  it('are there if the connector has them, and no others', () => {
    const { observe } = recorder();
    const connector = observeConnector('shop', answering, observe);
    expect(Object.keys(connector).toSorted()).toEqual(Object.keys(answering).toSorted());
    const whole = {
      ...answering,
      gate: async () => ({ problems: [], accepted: {} }),
      resolve: async () => [],
      describePlan: async () => undefined,
    };
    const keys = Object.keys(observeConnector('shop', whole, observe));
    expect(keys.toSorted()).toEqual(Object.keys(whole).toSorted());
  });
});

describe('batches', () => {
  const batch = { target: 'shop', tasks: [1, 2, 3] };

  it('are measured by target and outcome, with their size', async () => {
    const { observe, observed, seen } = recorder();
    const down = new TargetDown('unreachable', 'it is away');
    const run = (result: { down: TargetDown | undefined }) =>
      observeBatches(async (_: typeof batch) => result, observe)(batch);
    expect(await run({ down: undefined })).toEqual({ down: undefined });
    await run({ down });
    expect(observed[0]).toEqual(['unwrite_batch_tasks', ['shop'], 3]);
    expect(seen()).toEqual([
      'unwrite_batch_tasks shop',
      'unwrite_batch_duration_seconds shop done',
      'unwrite_batch_tasks shop',
      'unwrite_batch_duration_seconds shop target_down',
    ]);
  });

  it('that end with an error are measured too', async () => {
    const { observe, seen } = recorder();
    const run = observeBatches(async (_: typeof batch): Promise<{ down: undefined }> => {
      throw new Error('the store is away');
    }, observe);
    await expect(run(batch)).rejects.toThrow('away');
    expect(seen()).toContain('unwrite_batch_duration_seconds shop abandoned');
  });
});

import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/domain/observation.ts';
import { expose } from '../../src/telemetry/exposition.ts';
import { createHistograms, createPassOn } from '../../src/telemetry/histograms.ts';

const linesOf = (histograms: ReturnType<typeof createHistograms>, name: string) =>
  expose(histograms.metrics())
    .split('\n')
    .filter((line) => line.startsWith(name));

describe('histograms', () => {
  it('count each value in all buckets from its own upwards, with sum and count', () => {
    const histograms = createHistograms();
    for (const tasks of [1, 3, 500, 5000])
      histograms.observe('unwrite_batch_tasks', ['shop'], tasks);
    expect(linesOf(histograms, 'unwrite_batch_tasks')).toEqual([
      'unwrite_batch_tasks_bucket{target="shop",le="1"} 1',
      'unwrite_batch_tasks_bucket{target="shop",le="2"} 1',
      'unwrite_batch_tasks_bucket{target="shop",le="5"} 2',
      'unwrite_batch_tasks_bucket{target="shop",le="10"} 2',
      'unwrite_batch_tasks_bucket{target="shop",le="20"} 2',
      'unwrite_batch_tasks_bucket{target="shop",le="50"} 2',
      'unwrite_batch_tasks_bucket{target="shop",le="100"} 2',
      'unwrite_batch_tasks_bucket{target="shop",le="200"} 2',
      'unwrite_batch_tasks_bucket{target="shop",le="500"} 3',
      'unwrite_batch_tasks_bucket{target="shop",le="1000"} 3',
      'unwrite_batch_tasks_bucket{target="shop",le="+Inf"} 4',
      'unwrite_batch_tasks_sum{target="shop"} 5504',
      'unwrite_batch_tasks_count{target="shop"} 4',
    ]);
  });

  it('keep values of different labels apart', () => {
    const histograms = createHistograms();
    const name = 'unwrite_http_request_duration_seconds';
    histograms.observe(name, ['POST /requests', '201'], 0.5);
    histograms.observe(name, ['POST /requests', '409'], 0.25);
    histograms.observe(name, ['POST /requests', '201'], 0.25);
    expect(linesOf(histograms, `${name}_sum`)).toEqual([
      `${name}_sum{route="POST /requests",status="201"} 0.75`,
      `${name}_sum{route="POST /requests",status="409"} 0.25`,
    ]);
  });

  it('without labels are there before the first value', () => {
    const name = 'unwrite_store_write_duration_seconds';
    expect(linesOf(createHistograms(), `${name}_count`)).toEqual([`${name}_count 0`]);
  });
});

describe('what a thread observes', () => {
  it('is passed on once, together', async () => {
    const sent: (readonly Observation[])[] = [];
    await new Promise<void>((resolve) => {
      const { observe } = createPassOn((observed) => {
        sent.push(observed);
        resolve();
      }, 1);
      observe('unwrite_batch_tasks', ['shop'], 1);
      observe('unwrite_batch_tasks', ['shop'], 2);
    });
    expect(sent).toEqual([
      [
        ['unwrite_batch_tasks', ['shop'], 1],
        ['unwrite_batch_tasks', ['shop'], 2],
      ],
    ]);
  });

  it('is passed on at the end, and nothing if there is nothing', () => {
    const sent: (readonly Observation[])[] = [];
    const { observe, flush } = createPassOn((observed) => sent.push(observed));
    flush();
    observe('unwrite_store_write_requests', [], 7);
    flush();
    flush();
    expect(sent).toEqual([[['unwrite_store_write_requests', [], 7]]]);
  });
});

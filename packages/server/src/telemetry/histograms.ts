// Durations and sizes, counted in buckets since the start of the process.
import type { HistogramName, Observation, Observe } from '../domain/observation.ts';
import type { Metric, Sample } from './exposition.ts';

interface Histogram {
  readonly help: string;
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
}

const ANSWERS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WORK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const HISTOGRAMS: Readonly<Record<HistogramName, Histogram>> = {
  unwrite_http_request_duration_seconds: {
    help: 'Time from the head of a call until its answer was written.',
    labels: ['route', 'status'],
    bounds: ANSWERS,
  },
  unwrite_store_write_duration_seconds: {
    help: 'Time until creates and cancels that were sent to the store together were durable.',
    labels: [],
    bounds: ANSWERS,
  },
  unwrite_store_write_requests: {
    help: 'Creates and cancels that were sent to the store together.',
    labels: [],
    bounds: SIZES,
  },
  unwrite_store_transaction_duration_seconds: {
    help: 'Writing transactions of the worker in the store, with their commit.',
    labels: [],
    bounds: ANSWERS,
  },
  unwrite_batch_duration_seconds: {
    help: 'Time of a batch, until its outcomes were recorded.',
    labels: ['target', 'outcome'],
    bounds: WORK,
  },
  unwrite_batch_tasks: {
    help: 'Tasks of a batch.',
    labels: ['target'],
    bounds: SIZES,
  },
  unwrite_connector_call_duration_seconds: {
    help: 'Time that a target took for a call of its connector.',
    labels: ['target', 'call', 'outcome'],
    bounds: WORK,
  },
};

interface Series {
  readonly values: readonly string[];
  /** For each bound, and for what is above the last one. */
  readonly counts: number[];
  sum: number;
}

export interface Histograms {
  readonly observe: Observe;
  metrics(): Metric[];
}

export function createHistograms(): Histograms {
  const series = new Map<HistogramName, Map<string, Series>>();

  function seriesOf(name: HistogramName, values: readonly string[]): Series {
    const all = series.get(name) ?? new Map<string, Series>();
    const key = values.join('\n');
    const known = all.get(key);
    if (known !== undefined) return known;
    const counts = Array<number>(HISTOGRAMS[name].bounds.length + 1).fill(0);
    const made = { values, counts, sum: 0 };
    series.set(name, all.set(key, made));
    return made;
  }

  // Where it is known which series there are, they are there from the start.
  for (const [name, { labels }] of Object.entries(HISTOGRAMS))
    if (labels.length === 0) seriesOf(name as HistogramName, []);

  return {
    observe(name, values, measured) {
      const { bounds } = HISTOGRAMS[name];
      const one = seriesOf(name, values);
      let bucket = 0;
      while (bucket < bounds.length && measured > Number(bounds[bucket])) bucket++;
      one.counts[bucket] = Number(one.counts[bucket]) + 1;
      one.sum += measured;
    },
    metrics: () =>
      Object.entries(HISTOGRAMS).map(([name, histogram]) => ({
        name,
        type: 'histogram',
        help: histogram.help,
        labels: histogram.labels,
        samples: [...(series.get(name as HistogramName)?.values() ?? [])].flatMap((one) =>
          samplesOf(histogram, one),
        ),
      })),
  };
}

function samplesOf({ bounds }: Histogram, { values, counts, sum }: Series): Sample[] {
  let total = 0;
  const buckets = counts.map((count, index): Sample => {
    total += count;
    return { values, value: total, part: { le: String(bounds[index] ?? '+Inf') } };
  });
  return [...buckets, { values, value: sum, part: 'sum' }, { values, value: total, part: 'count' }];
}

/** For a thread: what it observes is passed on together, this long after the first. */
export function createPassOn(send: (observed: readonly Observation[]) => void, afterMs = 1000) {
  let waiting: Observation[] = [];
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) send(waiting);
    waiting = [];
  }
  const observe: Observe = (...observation) => {
    waiting.push(observation);
    timer ??= setTimeout(flush, afterMs).unref();
  };
  return { observe, flush };
}

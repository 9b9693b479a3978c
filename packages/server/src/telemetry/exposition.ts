// The Prometheus text format, version 0.0.4, written directly: too little to need a library.

export interface Sample {
  /** Values of the metric's labels, in their order. */
  readonly values: readonly (string | number)[];
  readonly value: number;
  /** The part of a histogram that it is: the sum, the count, or all values up to a bound. */
  readonly part?: 'sum' | 'count' | { readonly le: string };
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Names of the labels. */
  readonly labels: readonly string[];
  readonly samples: readonly Sample[];
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function expose(metrics: readonly Metric[]): string {
  return metrics.map(exposeOne).join('');
}

function exposeOne(metric: Metric): string {
  const { name, help, type, samples } = metric;
  const lines = samples.map((sample) => lineOf(metric, sample));
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function lineOf({ name, labels }: Metric, { values, value, part }: Sample): string {
  const pairs = labels.map((label, index) => pairOf(label, String(values[index])));
  if (typeof part === 'object') pairs.push(pairOf('le', part.le));
  const suffix = part === undefined ? '' : `_${typeof part === 'object' ? 'bucket' : part}`;
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

function pairOf(label: string, value: string): string {
  return `${label}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

/** A metric with one number. */
export function single(
  name: string,
  type: Metric['type'],
  help: string,
  value: number | null,
): Metric {
  return { name, type, help, labels: [], samples: value === null ? [] : [{ values: [], value }] };
}

/** A metric with a number for each value of one label. */
export function byLabel(
  name: string,
  type: Metric['type'],
  help: string,
  label: string,
  values: Iterable<readonly [string, number]>,
): Metric {
  const samples = [...values].map(([key, value]) => ({ values: [key], value }));
  return { name, type, help, labels: [label], samples };
}

// The Prometheus text format, version 0.0.4, written directly: too little to need a library.

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly samples: readonly Sample[];
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function expose(metrics: readonly Metric[]): string {
  return metrics.map(exposeOne).join('');
}

function exposeOne({ name, help, type, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelsOf(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** A metric with one number. */
export function single(
  name: string,
  type: Metric['type'],
  help: string,
  value: number | null,
): Metric {
  return { name, type, help, samples: value === null ? [] : [{ value }] };
}

/** A metric with a number for each value of one label. */
export function byLabel(
  name: string,
  type: Metric['type'],
  help: string,
  label: string,
  values: Iterable<readonly [string, number]>,
): Metric {
  const samples = [...values].map(([key, value]) => ({ labels: { [label]: key }, value }));
  return { name, type, help, samples };
}

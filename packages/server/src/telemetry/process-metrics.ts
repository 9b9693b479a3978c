import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Metric, single } from './exposition.ts';

const NANOSECONDS = 1e9;

/** Memory and CPU time of the process, and the event-loop delay of its main thread since the last scrape. */
export function createProcessMetrics(version: string) {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return {
    metrics(): Metric[] {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const [p99, max] = [delay.percentile(99), delay.max].map((it) => it / NANOSECONDS);
      delay.reset();
      return [
        {
          name: 'unwrite_build_info',
          type: 'gauge',
          help: 'The running version.',
          labels: ['version', 'node'],
          samples: [{ values: [version, process.version], value: 1 }],
        },
        single('process_resident_memory_bytes', 'gauge', 'Memory of the whole process.', rss),
        single('nodejs_heap_used_bytes', 'gauge', 'Heap of the main thread.', heapUsed),
        single(
          'process_cpu_seconds_total',
          'counter',
          'Processor time, of all threads.',
          (user + system) / 1e6,
        ),
        single(
          'process_start_time_seconds',
          'gauge',
          'When the process started.',
          Math.round(performance.timeOrigin / 1000),
        ),
        single(
          'nodejs_eventloop_lag_p99_seconds',
          'gauge',
          'Delay of the main thread since the last scrape, 99th percentile.',
          p99 ?? null,
        ),
        single(
          'nodejs_eventloop_lag_max_seconds',
          'gauge',
          'Delay of the main thread since the last scrape, longest.',
          max ?? null,
        ),
      ];
    },
    close: () => delay.disable(),
  };
}

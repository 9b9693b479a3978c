// All metrics that a server exposes, as they are on an empty store.
import { certificateMetrics } from '../../src/telemetry/certificate-metrics.ts';
import type { Metric } from '../../src/telemetry/exposition.ts';
import { createHistograms } from '../../src/telemetry/histograms.ts';
import { createProcessMetrics } from '../../src/telemetry/process-metrics.ts';
import { backupMetrics, storeMetrics } from '../../src/telemetry/store-metrics.ts';

export function exposedMetrics(): readonly Metric[] {
  const ofProcess = createProcessMetrics('0.0.0');
  const metrics = [
    ...storeMetrics(
      {
        openRequests: new Map(),
        createdTotal: 0,
        requestTotals: new Map(),
        openTasks: [],
        targetTotals: [],
        attention: new Map(),
        alarms: new Map(),
        undeliveredAlarms: 0,
        oldestReceivedTime: null,
        nearestStatutoryDeadline: null,
        targetsDown: [],
        paused: [],
        walBytes: null,
        databaseBytes: 0,
      },
      0,
    ),
    ...backupMetrics(null, undefined),
    ...certificateMetrics(undefined, 0),
    ...createHistograms().metrics(),
    ...ofProcess.metrics(),
  ];
  ofProcess.close();
  return metrics;
}

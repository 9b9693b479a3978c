// Builds the management port: the metrics, and the server for them.

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Config } from '../config/config.ts';
import type { Validity } from '../domain/certificate/validity.ts';
import type { Clock } from '../domain/clock.ts';
import type { MasterKeyStore } from '../domain/keys/key-ports.ts';
import type { ReadMetrics } from '../domain/store/store.ts';
import { attentionTargets } from '../domain/task/attention-targets.ts';
import { createManagementServer } from '../http/management.ts';
import { certificateMetrics } from '../telemetry/certificate-metrics.ts';
import { CONTENT_TYPE, expose } from '../telemetry/exposition.ts';
import type { Histograms } from '../telemetry/histograms.ts';
import { createProcessMetrics } from '../telemetry/process-metrics.ts';
import { backupMetrics, storeMetrics } from '../telemetry/store-metrics.ts';
import { newestBackup } from './backup/backup-chore.ts';
import { VERSION } from './version.ts';

export interface ManagementParts {
  readonly config: Config;
  /** The settings in force. */
  readonly current: () => Config;
  readonly readMetrics: ReadMetrics;
  readonly masterKeys: MasterKeyStore;
  readonly histograms: Histograms;
  readonly notReadyBecause: () => Promise<string[]>;
  readonly clock: Clock;
  /** Undefined without one. */
  readonly processorCertificate: (() => Validity) | undefined;
}

export interface Management {
  listen(): Promise<void>;
  close(): Promise<void>;
}

export function createManagement(parts: ManagementParts): Management | undefined {
  const { config, current, readMetrics, histograms, notReadyBecause, clock, processorCertificate } =
    parts;
  const { managementPort: port, managementHost: host } = config;
  if (port === null) return undefined;
  const ofProcess = createProcessMetrics(VERSION);
  const server = createManagementServer({
    notReadyBecause,
    async metrics() {
      const now = clock();
      const { backupEvery, cancellationWindow, maxStartsPerDay, targets } = current();
      const query = {
        now,
        cancellationWindowMs: cancellationWindow * 1000,
        maxStartsPerDay,
        ...attentionTargets(targets, now),
      };
      const metrics = [
        ...storeMetrics(await readMetrics(query), now),
        ...backupMetrics(backupEvery, await newestOf(current(), parts.masterKeys, now)),
        ...certificateMetrics(processorCertificate?.(), now),
        ...histograms.metrics(),
        ...ofProcess.metrics(),
      ];
      return { type: CONTENT_TYPE, text: expose(metrics) };
    },
  });
  return {
    async listen() {
      const { address } = await lookup(host);
      server.listen({ host: address, port });
      await once(server, 'listening');
    },
    async close() {
      ofProcess.close();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A folder that cannot be read has its alarm. */
async function newestOf({ backupFolder }: Config, keys: MasterKeyStore, now: number) {
  if (backupFolder === undefined) return undefined;
  return newestBackup(backupFolder, keys, now).catch(() => undefined);
}

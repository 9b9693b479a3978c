// What a worker gets of the settings in force.
import type { Config } from '../../config/config.ts';
import type { PollIntervals } from '../../queue/poll-intervals.ts';
import type { VaultKeys } from '../../vault/load-keys.ts';
import type { BackedStore } from '../backup/make-backup.ts';
import { choreSettings } from '../chores.ts';
import { keySourceOf } from '../keys.ts';
import { rememberRequestsMs } from '../restored-store.ts';
import type { WorkSettings } from '../work.ts';

export interface WorkSettingsParts {
  readonly vaultKeys: VaultKeys;
  readonly intervals: PollIntervals;
  readonly backedStore: BackedStore;
  readonly waitBeforeStartsMs: number;
}

export function workSettings(config: Config, parts: WorkSettingsParts): WorkSettings {
  const { vaultKeys, intervals, backedStore, waitBeforeStartsMs } = parts;
  return {
    masterKeys: vaultKeys.masterKeys,
    keySource: keySourceOf(config),
    targets: config.targets,
    cancellationWindowMs: config.cancellationWindow * 1000,
    waitBeforeStartsMs,
    rememberRequestsMs: rememberRequestsMs(config),
    retryDelayMs: config.retryDelay * 1000,
    maxStartsPerDay: config.maxStartsPerDay,
    chores: choreSettings(config, vaultKeys.file, intervals.conditions, backedStore),
    intervals,
  };
}

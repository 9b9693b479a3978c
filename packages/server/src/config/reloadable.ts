// Which settings a running server takes over, and how the settings of two nodes are compared.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TargetConfig } from '../domain/target/target.ts';
import type { Config } from './config.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from './settings.ts';

/** Those that only this process needs. */
const OF_A_NODE = ['concurrency'] as const;

/** Those that all nodes should have alike. */
const OF_ALL_NODES = [
  'targets',
  'cancellationWindow',
  'retryDelay',
  'retentionIdentities',
  'retentionRecords',
  'retentionBackups',
  'backupEvery',
  'backupFolder',
  'backupKeep',
  'maxStartsPerDay',
  'notFoundAlarm',
  'alarmsWebhook',
  'alarmsWebhookSecret',
  'alarmsFormat',
  'alarmsMailServer',
  'alarmsMailFrom',
  'alarmsMailTo',
  'alarmsDailySummary',
  'eventsWebhook',
  'eventsWebhookSecret',
  'webhooksAllowPrivate',
  'auditWitnessWebhook',
] as const;

const RELOADABLE: readonly SettingKey[] = [...OF_A_NODE, ...OF_ALL_NODES];

export interface ConfigChange {
  /** Names of the settings that differ. */
  readonly changed: readonly string[];
  /** Why a running server cannot take the change over. */
  readonly refusals: readonly string[];
}

export function compareConfigs(running: Config, next: Config): ConfigChange {
  const changed = SETTING_KEYS.filter((key) => !isDeepStrictEqual(running[key], next[key]));
  const fixed = changed.filter((key) => !RELOADABLE.includes(key));
  return {
    changed: changed.map(nameOf),
    refusals: [
      ...fixed.map((key) => `${nameOf(key)} has changed: restart the server for it`),
      ...changedModules(running.targets, next.targets).map(
        (name) => `the module of target ${name} has changed: restart the server for it`,
      ),
    ],
  };
}

/** A module that was loaded once stays loaded. */
function changedModules(running: readonly TargetConfig[], next: readonly TargetConfig[]): string[] {
  const modulesOf = (targets: readonly TargetConfig[]) =>
    new Map(targets.flatMap((it) => (it.connector === 'module' ? [[it.name, it]] : [])));
  const [before, after] = [modulesOf(running), modulesOf(next)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)));
}

function nameOf(key: SettingKey): string {
  return SETTINGS[key].name;
}

/**
 * A short digest of the settings that all nodes should have alike. Nothing secret goes in, not even hashed: a target
 * counts by its own digest.
 */
export function configDigest(config: Config): string {
  const { targets, ...others } = Object.fromEntries(
    OF_ALL_NODES.filter((key) => !SETTINGS[key].secret).map((key) => [key, config[key]]),
  ) as Pick<Config, 'targets'>;
  const compared = {
    ...others,
    targets: targets.map(
      ({ name, digest, batchSize, concurrency, hours, maxRowsPerDay, after }) => [
        name,
        digest,
        batchSize,
        concurrency,
        hours,
        maxRowsPerDay,
        after,
      ],
    ),
  };
  return createHash('sha256').update(JSON.stringify(compared)).digest('hex').slice(0, 12);
}

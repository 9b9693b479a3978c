// Periodic chores that run beside the batches. The server's thread only checks whether a worker is
// needed; the worker's thread runs them. Both use the same checks.

import { createTellClock } from '../alarms/clock-ahead.ts';
import { createTellUnreadable } from '../alarms/unreadable.ts';
import type { Config } from '../config/config.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import type { DueStore, WorkStore } from '../domain/store/store.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import { createEndHoldsChore, createEndHoldsDue } from '../fulfilment/end-legal-holds.ts';
import { createGateDue } from '../fulfilment/gate/gate-chore.ts';
import type { WorkerMessage } from '../queue/worker-thread.ts';
import { createLostReceiptsChore, createLostReceiptsDue } from '../receipts/lost-receipts-chore.ts';
import { createArchiveChore } from '../retention/archive-chore.ts';
import { createClockGuard } from '../retention/clock-guard.ts';
import { createForgetChore, createForgetDue } from '../retention/forget-chore.ts';
import { createGrownChore } from '../retention/grown-chore.ts';
import { createShredChore, createShredDue } from '../retention/shred-chore.ts';
import { createStatisticsChore, createStatisticsDue } from '../retention/statistics-chore.ts';
import type { MasterKeyRing } from '../vault/master-key.ts';
import {
  type AlarmSettings,
  alarmSettings,
  createAlarmChores,
  createAlarmDueChores,
  createTellAlarms,
} from './alarms.ts';
import { type BackupSettings, createBackupChores, createBackupDue } from './backup/backup-chore.ts';
import type { BackedStore } from './backup/make-backup.ts';
import {
  createEventChores,
  createEventDueChores,
  type EventSettings,
  eventSettings,
} from './events.ts';
import { createKeyChores, createKeyDueChores, type KeyChoreSettings } from './keys.ts';
import { createProofChores, createProofDueChores, type WitnessSettings } from './proof/proof.ts';

/** Plain data, because it is passed to a thread. */
export interface ChoreSettings {
  readonly dataDir: string;
  /** Domain of the processor, for receipts. */
  readonly domain: string;
  readonly witness: WitnessSettings;
  readonly retentionIdentitiesMs: number;
  readonly retentionRecordsMs: number;
  readonly keys: KeyChoreSettings;
  readonly backup: BackupSettings | undefined;
  readonly alarms: AlarmSettings;
  readonly events: EventSettings;
  readonly targets: readonly TargetConfig[];
}

export function choreSettings(
  config: Config,
  masterKeyFile: string | null,
  conditionsMs: number,
  backedStore: BackedStore,
): ChoreSettings {
  return {
    dataDir: config.dataDir,
    domain: config.domain,
    witness: {
      webhook: config.auditWitnessWebhook,
      allowPrivate: config.webhooksAllowPrivate,
      file: config.auditWitnessFile,
    },
    retentionIdentitiesMs: config.retentionIdentities * 1000,
    retentionRecordsMs: config.retentionRecords * 1000,
    keys: { retentionBackupsMs: config.retentionBackups * 1000, masterKeyFile },
    targets: config.targets,
    backup: backupSettings(config, backedStore),
    alarms: alarmSettings(config, conditionsMs),
    events: eventSettings(config),
  };
}

function backupSettings(
  { backupEvery, backupFolder, backupKeep }: Config,
  store: BackedStore,
): BackupSettings | undefined {
  if (backupEvery === null || backupFolder === undefined) return undefined;
  const everyMs = backupEvery * 1000;
  return { store, folder: backupFolder, everyMs, keepMs: backupKeep * 1000 };
}

export interface ChoreParts {
  readonly store: WorkStore;
  readonly settings: ChoreSettings;
  readonly masterKeys: MasterKeyRing;
  readonly clock: Clock;
  readonly say: (message: WorkerMessage) => void;
  readonly writeDownHead: () => Promise<unknown>;
  /** Seconds by a monotonic clock. Left out: the uptime of this process. */
  readonly uptime?: (() => number) | undefined;
}

export function createDueChores(store: DueStore, settings: ChoreSettings): DueChore[] {
  return [
    ...createProofDueChores(store, settings.witness),
    createShredDue(store.forgetting, settings.retentionIdentitiesMs),
    createForgetDue(store.forgetting, settings.retentionRecordsMs),
    ...createKeyDueChores(store, settings.keys),
    ...createAlarmDueChores(store, settings.alarms),
    ...createEventDueChores(store, settings.events),
    createGateDue(settings.targets),
    createStatisticsDue(store.statistics),
    createEndHoldsDue(store.legalHolds),
    ...createBackupDue(settings.backup, store.masterKeys),
    createLostReceiptsDue(),
  ];
}

export async function createChores(parts: ChoreParts): Promise<Chore[]> {
  const { store, settings, masterKeys, clock, say, writeDownHead } = parts;
  const shredded = () => say('shredded');
  const { domain, retentionRecordsMs: retentionMs } = settings;
  const log = (level: 'info' | 'warn', fields: object, message: string) =>
    say({ level, fields, message });
  const warn = (fields: object, message: string) => log('warn', fields, message);
  const unreadable = createTellUnreadable(store.conditions, clock, createTellAlarms(warn));
  const proof = await createProofChores({
    store,
    masterKeys,
    writeDownHead,
    domain,
    retentionMs,
    log,
    clock,
    witness: settings.witness,
  });
  const mayForget = createClockGuard(
    store.forgetting,
    parts.uptime ?? (() => process.uptime()),
    createTellClock(store.conditions, createTellAlarms(warn)),
  );
  return [
    ...proof.chores,
    createShredChore(store.forgetting, settings.retentionIdentitiesMs, shredded, mayForget),
    createForgetChore(store.forgetting, proof.cutAudit, retentionMs, shredded, mayForget),
    ...(store.archive === null ? [] : [createArchiveChore(store.archive)]),
    ...(store.grownTables === null ? [] : [createGrownChore(store.grownTables)]),
    ...createKeyChores({
      store,
      ring: masterKeys,
      settings: settings.keys,
      shredded,
      warn,
      unreadable,
      mayForget,
    }),
    ...createAlarmChores(store, settings.alarms, clock, warn),
    ...createEventChores(store, settings.events, clock, warn),
    createStatisticsChore(store.statistics),
    createEndHoldsChore(store.legalHolds, mayForget),
    ...createBackupChores({
      settings: settings.backup,
      keys: store.masterKeys,
      alarms: store.conditions,
      tell: createTellAlarms(warn),
      clock,
      info: (fields, message) => log('info', fields, message),
      mayForget,
    }),
    createLostReceiptsChore(store.receipts),
  ];
}

// What is done now and then beside the batches. The server's thread only asks whether a worker is
// wanted; the worker's thread does it. Both ask the same questions.
import type { DatabaseSync } from 'node:sqlite';
import { type AlarmSettings, createAlarmChores, createAlarmDueChores } from './compose-alarms.ts';
import { createKeyChores, createKeyDueChores, type KeyChoreSettings } from './compose-keys.ts';
import { createProofChores, createProofDueChores } from './compose-proof.ts';
import type { Chore, DueChore } from './domain/chore.ts';
import type { WorkerMessage } from './queue/worker-thread.ts';
import { createForgetChore, createForgetDue } from './retention/forget-chore.ts';
import { createShredChore, createShredDue } from './retention/shred-chore.ts';
import { createDueToForget, createForgettingStore } from './store/sqlite/forgetting-store.ts';
import type { MasterKeyRing } from './vault/master-key.ts';

/** Plain data: it is handed to a thread. */
export interface ChoreSettings {
  readonly dataDir: string;
  /** The processor's, for receipts. */
  readonly domain: string;
  readonly retentionIdentitiesMs: number;
  readonly retentionRecordsMs: number;
  readonly keys: KeyChoreSettings;
  readonly alarms: AlarmSettings;
}

export interface ChoreParts {
  readonly database: DatabaseSync;
  readonly settings: ChoreSettings;
  readonly masterKeys: MasterKeyRing;
  readonly say: (message: WorkerMessage) => void;
}

export function createDueChores(reader: DatabaseSync, settings: ChoreSettings): DueChore[] {
  const toForget = createDueToForget(reader);
  return [
    ...createProofDueChores(reader),
    createShredDue(toForget, settings.retentionIdentitiesMs),
    createForgetDue(toForget, settings.retentionRecordsMs),
    ...createKeyDueChores(reader, settings.keys),
    ...createAlarmDueChores(reader, settings.alarms),
  ];
}

export function createChores({ database, settings, masterKeys, say }: ChoreParts): Chore[] {
  const forgetting = createForgettingStore(database);
  const shredded = () => say('shredded');
  const { dataDir, domain } = settings;
  const log = (level: 'info' | 'warn', fields: object, message: string) =>
    say({ level, fields, message });
  return [
    ...createProofChores({ database, masterKeys, dataDir, domain, log }),
    createShredChore(forgetting, settings.retentionIdentitiesMs, shredded),
    createForgetChore(forgetting, settings.retentionRecordsMs, shredded),
    ...createKeyChores(database, masterKeys, settings.keys, shredded, (fields, message) =>
      log('warn', fields, message),
    ),
    ...createAlarmChores(database, settings.alarms, (fields, message) =>
      log('warn', fields, message),
    ),
  ];
}

// The backups of `backup.every`. When the next one is due is asked of the folder, so nothing has to be stored.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TellAlarms } from '../../alarms/watch-chores.ts';
import { anAlarm } from '../../domain/alarm/alarm.ts';
import type { ConditionStore } from '../../domain/alarm/alarm-ports.ts';
import type { Chore, DueChore } from '../../domain/chore.ts';
import type { Clock } from '../../domain/clock.ts';
import type { MasterKeyStore } from '../../domain/keys/key-ports.ts';
import { dayOf } from '../../domain/limit/day.ts';
import {
  type BackupName,
  expiredBackups,
  isLeftPart,
  readBackupName,
} from '../../domain/store/backup.ts';
import { MINUTE_MS } from '../../domain/time-units.ts';
import { backedStoreId } from '../../store/backup/snapshot.ts';
import { type BackedStore, folderProblem, withSnapshot, writeBackupFile } from './make-backup.ts';

/** Plain data, because it is passed to a thread. */
export interface BackupSettings {
  readonly store: BackedStore;
  readonly folder: string;
  readonly everyMs: number;
  readonly keepMs: number;
}

const NAME = 'making backups';
/** While a backup is being made the other chores go on: each look at this one waits only so long. */
const STEP_MS = 50;
const AGAIN_MS = 10 * MINUTE_MS;

type Keys = Pick<MasterKeyStore, 'masterKeys'>;

export function createBackupDue(settings: BackupSettings | undefined, keys: Keys): DueChore[] {
  if (settings === undefined) return [];
  return [{ name: NAME, isDue: createIsDue(settings, keys, MINUTE_MS) }];
}

/** `againMs`: how long a backup that is due is not looked for again. */
function createIsDue(
  { folder, everyMs }: BackupSettings,
  keys: Keys,
  againMs: number,
): (now: number) => Promise<boolean> {
  let lookAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    // A clock that was set back must not stop backups for as long.
    if (now < lookAt && now >= lookedAt) return false;
    const backups = await backupsIn(folder, await storeIdOf(keys)).catch(() => []);
    const newest = backups.filter(({ time }) => time <= now).at(-1);
    const dueTime = newest === undefined ? now : newest.time + everyMs;
    lookedAt = now;
    lookAt = dueTime > now ? dueTime : now + againMs;
    return dueTime <= now;
  };
}

export interface BackupChoreParts {
  readonly settings: BackupSettings | undefined;
  readonly keys: Keys;
  readonly alarms: Pick<ConditionStore, 'raise'>;
  readonly tell: TellAlarms;
  readonly clock: Clock;
  readonly info: (fields: object, message: string) => void;
  readonly mayForget: (now: number) => Promise<boolean>;
}

export function createBackupChores(parts: BackupChoreParts): Chore[] {
  const { settings, keys, clock, info, mayForget } = parts;
  if (settings === undefined) return [];
  const isDue = createIsDue(settings, keys, AGAIN_MS);
  let running: Promise<void> | undefined;

  async function make({ store, folder, keepMs }: BackupSettings): Promise<void> {
    try {
      const made = await withSnapshot(store, (snapshot) =>
        writeBackupFile(folder, snapshot, clock()),
      );
      info({ file: made.name, rows: made.manifest.rows }, 'a backup of the store was made');
      if (await mayForget(clock())) await removeExpired(folder, made.storeId, clock(), keepMs);
    } catch (error) {
      await tellFailed(parts, folder, error);
    }
  }

  return [
    {
      name: NAME,
      isDue: async (now) => running !== undefined || isDue(now),
      async run() {
        running ??= make(settings).finally(() => {
          running = undefined;
        });
        await Promise.race([running, pause(STEP_MS)]);
      },
    },
  ];
}

async function tellFailed(
  { alarms, tell, clock }: BackupChoreParts,
  folder: string,
  error: unknown,
): Promise<void> {
  const now = clock();
  const { message } = folderProblem(folder, error) ?? {
    // Only the name: messages of other code may quote data.
    message: `no backup of the store could be made (${(error as Error).name}); "unwrite backup create --to ${folder}" says why`,
  };
  const alarm = anAlarm('backup_failed', `day ${dayOf(now)}`, message, now);
  // The store itself may have failed: then only the log is left.
  tell(await alarms.raise([alarm]).catch(() => [alarm]));
}

async function storeIdOf({ masterKeys }: Keys): Promise<string> {
  const [first] = (await masterKeys()).toSorted(
    (a, b) => a.createdTime - b.createdTime || (a.masterKeyId < b.masterKeyId ? -1 : 1),
  );
  return first === undefined ? '' : backedStoreId(first.masterKeyId, first.createdTime);
}

/** Of this store; the oldest first. */
async function backupsIn(folder: string, storeId: string): Promise<BackupName[]> {
  const found = (await readdir(folder)).flatMap((name) => readBackupName(name) ?? []);
  return found.filter((it) => it.storeId === storeId).sort((a, b) => a.time - b.time);
}

/** Also removes what interrupted backups left. */
async function removeExpired(
  folder: string,
  storeId: string,
  now: number,
  keepMs: number,
): Promise<void> {
  const expired = expiredBackups(await backupsIn(folder, storeId), now, keepMs);
  const left = (await readdir(folder)).filter((name) => isLeftPart(name, storeId, now));
  for (const name of [...expired.map((it) => it.name), ...left]) {
    await rm(join(folder, name), { force: true });
  }
}

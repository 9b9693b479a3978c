// Alarms about rows whose MAC is wrong: someone other than Unwrite has written to the database.
import { anAlarm, type NewAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import { createBoundedMap } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock.ts';
import type { AuthenticatedKind, TellRefused } from '../domain/keys/row-macs.ts';
import { dayOf } from '../domain/limit/day.ts';
import type { TellAlarms } from './watch-chores.ts';

const MAX_REMEMBERED = 1000;
const MAX_EACH = 100;

const CONSEQUENCES: Readonly<Record<AuthenticatedKind, string>> = {
  controller: 'it is treated as absent',
  client: 'its tokens are refused',
  secret: 'it gets no token',
  'proof key': 'it is not published, and verifies nothing',
  'signing key': 'tokens that it signed are refused',
  restore: 'it is declared again if the audit log has it, and removed if not',
  'restore finding': 'confirming the restore does nothing about that request',
  'confirmed restore':
    'it is removed if the audit log has no open restore; otherwise nothing starts until "unwrite restored review" and "unwrite restored confirm"',
  'operator link': 'it does not work',
  'operator session': 'it is over',
  'operator client': 'its token is refused',
  'audit row': 'it is not part of the log',
  pause: 'the pause stays in force until "unwrite resume"',
  request: 'it is neither started nor completed',
  task: 'it is held',
  receipt: 'it is not given out',
  intent: 'its task is held',
  alarm: 'it is raised all the same',
  cut: 'rows that are missing from the log are not taken for cut',
  'master key': 'it is not destroyed',
  release: 'the task is held to the limits of its target',
};

export interface RefusedRows {
  /** Never waits, never throws: it is called where rows are read. */
  readonly refused: TellRefused;
  /** Resolves when alarms were raised for all refused rows. */
  told(): Promise<void>;
  /** From now on, raised alarms are also logged. */
  tellTo(tell: TellAlarms): void;
}

/** One alarm for each kind and day, for any number of rows; the first requests and tasks get one each. */
export function createRefusedRows(
  store: Pick<ConditionStore, 'raise'>,
  clock: Clock,
  tellFirst: TellAlarms = () => undefined,
): RefusedRows {
  const known = createBoundedMap<string, true>(MAX_REMEMBERED);
  const each = createBoundedMap<string, number>(MAX_REMEMBERED);
  const many = (day: string) => (each.get(day) ?? 0) >= MAX_EACH;
  let tell = tellFirst;
  let telling: Promise<void> = Promise.resolve();

  async function raise(alarm: NewAlarm): Promise<void> {
    try {
      tell(await store.raise([alarm]));
    } catch {
      tell([alarm]);
    }
  }

  return {
    refused({ kind, id }, why) {
      const now = clock();
      const day = `${kind} ${dayOf(now)}`;
      const subject = why === undefined || many(day) ? day : `${day} ${id}`;
      if (known.get(subject)) return;
      known.set(subject, true);
      if (why !== undefined) each.set(day, (each.get(day) ?? 0) + 1);
      const message = why
        ? messageOf(kind, id, why)
        : `the ${kind} ${id} in the store does not authenticate: it was not written by Unwrite, or was changed since; ${CONSEQUENCES[kind]}. See who can write to the database, remove the row, and do it again by "unwrite"; there may be others`;
      const alarm = anAlarm('row_refused', subject, message, now);
      telling = telling.then(() => raise(alarm));
    },
    told: () => telling,
    tellTo(given) {
      tell = given;
    },
  };
}

function messageOf(kind: AuthenticatedKind, id: string, why: string): string {
  return `the ${kind} ${id} in the store is not what the audit log says of it (${why}); ${CONSEQUENCES[kind]}. See who can write to the database, and put back what was changed, from a backup ("unwrite audit list" says what happened); there may be others`;
}

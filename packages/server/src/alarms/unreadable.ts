// Alarms about sealed data that cannot be decrypted: it is set aside, reported once a day for each key, and
// blocks nothing else.
import { anAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import { createBoundedMap } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock.ts';
import { dayOf } from '../domain/limit/day.ts';
import type { TellAlarms } from './watch-chores.ts';

const MAX_REMEMBERED = 1000;

export function createTellUnreadable(
  store: Pick<ConditionStore, 'raise'>,
  clock: Clock,
  tell: TellAlarms,
): (what: string, masterKeyId: string) => void {
  const known = createBoundedMap<string, true>(MAX_REMEMBERED);
  return (what, masterKeyId) => {
    const now = clock();
    const subject = `${masterKeyId} ${dayOf(now)}`;
    if (known.get(subject)) return;
    known.set(subject, true);
    const message = `${what} cannot be decrypted: the master key ${masterKeyId} is missing, or the data was damaged. It is left unchanged; there may be others. Put the key back into the master key file if you have it, or restore a backup; requests whose identities cannot be decrypted are in "unwrite request list --attention"`;
    const alarm = anAlarm('unreadable', subject, message, now);
    void store.raise([alarm]).then(tell, () => tell([alarm]));
  };
}

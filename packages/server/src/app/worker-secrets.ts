// The installation's own secrets, as a worker uses them. If one is damaged or missing, an alarm names the
// backup that has it, and it is read again later: only work that needs it waits. If the worker ended instead,
// it would be restarted again and again.
import type { TellAlarms } from '../alarms/watch-chores.ts';
import { anAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import type { Clock } from '../domain/clock.ts';
import { isToPutBack } from '../domain/keys/missing-secret.ts';
import { dayOf } from '../domain/limit/day.ts';

/** Limits how long keys that another process has replaced are used. */
const REFRESH_MS = 60_000;

export interface HeldSecret<T> {
  /** Read again from time to time; undefined while it cannot be read. */
  newest(): Promise<T | undefined>;
  /** The value that was last read. Throws if it could not be read. */
  get(): T;
  /** The same, but undefined if it could not be read. */
  find(): T | undefined;
}

export interface SecretHolder {
  hold<T>(load: () => Promise<T>, refresh?: (value: T) => Promise<void>): Promise<HeldSecret<T>>;
}

export function createSecretHolder(
  alarms: Pick<ConditionStore, 'raise'>,
  clock: Clock,
  tell: TellAlarms,
): SecretHolder {
  return {
    async hold(load, refresh) {
      type Value = Awaited<ReturnType<typeof load>>;
      let held: { readonly value: Value } | { readonly error: Error };
      let at = 0;
      await look();

      async function look(): Promise<void> {
        at = clock();
        try {
          if (held !== undefined && 'value' in held) await refresh?.(held.value);
          else held = { value: await load() };
        } catch (error) {
          if (!isToPutBack(error)) throw error;
          held = { error };
          await tellLost(alarms, error, at, tell);
        }
      }

      const find = () => ('value' in held ? held.value : undefined);
      return {
        async newest() {
          if (Math.abs(clock() - at) >= REFRESH_MS) await look();
          return find();
        },
        get() {
          if ('error' in held) throw held.error;
          return held.value;
        },
        find,
      };
    },
  };
}

/** Raises the alarm once a day. */
export async function tellLost(
  alarms: Pick<ConditionStore, 'raise'>,
  { message }: Error,
  now: number,
  tell: TellAlarms,
): Promise<void> {
  const alarm = anAlarm('unreadable', `${dayOf(now)} ${message}`, message, now);
  tell(await alarms.raise([alarm]));
}

// Rows that do not authenticate: somebody has written to the database by another way than Unwrite.
import { anAlarm, type NewAlarm } from '../domain/alarm/alarm.ts';
import type { ConditionStore } from '../domain/alarm/alarm-ports.ts';
import { createBoundedMap } from '../domain/bounded-map.ts';
import type { Clock } from '../domain/clock.ts';
import type { AuthenticatedKind, ClaimedRow } from '../domain/keys/row-macs.ts';
import { dayOf } from '../domain/limit/day.ts';
import type { TellAlarms } from './watch-chores.ts';

const MOST_REMEMBERED = 1000;

const CONSEQUENCES: Readonly<Record<AuthenticatedKind, string>> = {
  controller: 'it is taken for absent',
  client: 'its tokens are refused',
  secret: 'it gets no token',
  'proof key': 'it is not published, and verifies nothing',
  'signing key': 'tokens that it signed are refused',
  'confirmed restore':
    'nothing starts until "unwrite restored review" and "unwrite restored confirm"',
  'operator link': 'it does not work',
  'operator session': 'it is over',
  'operator client': 'its token is refused',
  release: 'the task is held to the limits of its target',
};

export interface RefusedRows {
  /** Never waits, never throws: it is called where rows are read. */
  readonly refused: (row: Pick<ClaimedRow, 'kind' | 'id'>) => void;
  /** When all that was refused is told. */
  told(): Promise<void>;
  /** From then on alarms that were raised are also logged. */
  tellTo(tell: TellAlarms): void;
}

/** One alarm a kind and a day, however many rows there are. */
export function createRefusedRows(
  store: Pick<ConditionStore, 'raise'>,
  clock: Clock,
  tellFirst: TellAlarms = () => undefined,
): RefusedRows {
  const known = createBoundedMap<string, true>(MOST_REMEMBERED);
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
    refused({ kind, id }) {
      const now = clock();
      const subject = `${kind} ${dayOf(now)}`;
      if (known.get(subject)) return;
      known.set(subject, true);
      const message = `the ${kind} ${id} in the store does not authenticate: it was not written by Unwrite, or was changed since; ${CONSEQUENCES[kind]}. See who can write to the database, remove the row, and do it again by "unwrite"; there may be others`;
      const alarm = anAlarm('row_refused', subject, message, now);
      telling = telling.then(() => raise(alarm));
    },
    told: () => telling,
    tellTo(given) {
      tell = given;
    },
  };
}

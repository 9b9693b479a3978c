// What is recorded right before a transaction at a target is committed, in one commit of the store: the fence, pauses, legal
// holds, the daily limit, the rows that are about to go, and the name by which the target is asked how it ended.
import type { Clock } from '../../domain/clock.ts';
import { dayOf, startOfDay } from '../../domain/limit/day.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import { type Erased, type ErasingTransaction, totalOf } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { PAUSED } from '../../domain/task/attention.ts';
import type { FulfilmentStore, LeasedBatch } from '../../domain/task/fulfilment-ports.ts';
import type { MayErase } from '../../domain/task/row-reservation.ts';
import type { Tables, TaskOutcome } from '../../domain/task/task.ts';
import { type KeysVaultPort, sealIntents } from '../intent/intents.ts';
import type { DigestAcross } from './ask-others.ts';
import type { Case, Outcomes } from './case.ts';

/** How long recording a transaction may take while the target's rows are locked. */
const RECORD_MS = 5000;
/** How long a commit may take before another worker can take the batch over. */
const COMMIT_MS = 30_000;

interface RecordParts {
  readonly store: Pick<FulfilmentStore, 'recordTransaction'>;
  readonly clock: Clock;
  readonly keysVault: KeysVaultPort;
  readonly digestAll: DigestAcross;
}

interface AboutToCommit {
  readonly batch: LeasedBatch;
  readonly target: TargetConfig;
  readonly cases: ReadonlyMap<number, Case>;
  readonly outcomes: Outcomes;
  /** The rows that all attempts have erased, if this one ends as it says. */
  readonly tablesOf: (one: Case, erased: Erased) => Tables;
}

/** False if it may not be committed now. The outcomes say which tasks wait, and for what. */
export function createRecordErasing({ store, clock, keysVault, digestAll }: RecordParts) {
  return async (
    { batch, target, cases, outcomes, tablesOf }: AboutToCommit,
    { name, erasures }: ErasingTransaction,
  ): Promise<boolean> => {
    const tables = new Map<number, Tables>();
    const changed: Case[] = [];
    for (const { taskNo, erasure } of erasures) {
      const one = cases.get(taskNo);
      if (one === undefined || erasure.outcome !== 'erased') continue;
      changed.push(one);
      tables.set(taskNo, tablesOf(one, erasure));
    }
    const now = clock();
    const transaction = {
      name,
      tables,
      intents: sealIntents(keysVault, batch.target, target.planDigest, changed),
      reservations: changed.map(({ task, subject, intended }) => ({
        taskNo: task.taskNo,
        // Also of identities that were looked up.
        digests: subject.identities.flatMap((one) => digestAll(subject.controllerId, one)),
        rows: totalOf(intended.counts),
        isReleased: task.allowedRows !== null,
      })),
      maxRowsPerDay: target.maxRowsPerDay,
    };
    const recording = store.recordTransaction(batch, transaction, now + COMMIT_MS, now);
    const mayErase = await withinRecordTime(recording);
    for (const outcome of waitingFor(mayErase, changed, target, now))
      outcomes.set(outcome.taskNo, outcome);
    return !mayErase.paused && mayErase.onHold.size + mayErase.tomorrow.size === 0;
  };
}

function waitingFor(
  { paused, onHold, tomorrow }: MayErase,
  cases: readonly Case[],
  { maxRowsPerDay }: TargetConfig,
  now: number,
): TaskOutcome[] {
  const outcome = 'waiting' as const;
  const capped = {
    code: 'daily_cap',
    detail: `max_rows_per_day (${maxRowsPerDay}) does not allow it today`,
    dueTime: startOfDay(dayOf(now) + 1),
  };
  return cases.flatMap(({ task: { taskNo } }): TaskOutcome[] => {
    if (paused) return [{ taskNo, outcome, code: 'paused', detail: PAUSED, dueTime: now }];
    if (onHold.has(taskNo)) return [{ taskNo, outcome, ...ON_HOLD, dueTime: now }];
    return tomorrow.has(taskNo) ? [{ taskNo, outcome, ...capped }] : [];
  });
}

/** The next lease holds it. */
const ON_HOLD = {
  code: 'legal_hold',
  detail: 'a legal hold is on this person or request',
} as const;

/** The target's rows are locked meanwhile. A record that comes too late only says what did not happen. */
async function withinRecordTime<T>(recording: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new StoreUnavailable('the store did not record a transaction in time')),
    RECORD_MS,
  );
  try {
    return await Promise.race([recording, late]);
  } finally {
    clearTimeout(timer);
  }
}

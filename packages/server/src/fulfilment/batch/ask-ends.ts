// A worker that did not report leaves tasks behind of which it is not known whether they have erased. Their target says
// how the transactions ended; then it is as if the worker had reported that. Where it cannot say, the evidence tells how
// many rows may have been erased.
import { byName } from '../../domain/by-name.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Connector, Held, TransactionEnd } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type {
  FulfilmentStore,
  LeasedBatch,
  LeasedTask,
  OpenTransaction,
  TransactionOfTask,
} from '../../domain/task/fulfilment-ports.ts';
import {
  rowsOfAttempt,
  unconfirmedIn,
  withUnconfirmed,
  withUnknownEnd,
} from '../../domain/task/unconfirmed.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { lessCounts } from '../intent/merge-intent.ts';
import { isSamePlace } from '../intent/same-plan.ts';
import type { FailTask, Outcomes } from './case.ts';

interface Asked {
  readonly transaction: OpenTransaction;
  readonly end: TransactionEnd;
}

interface AskEndsRun {
  readonly batch: LeasedBatch;
  readonly target: TargetConfig;
  readonly connector: Connector;
  readonly outcomes: Outcomes;
  readonly fail: FailTask;
}

/** Returns the tasks that can go on; the others have an outcome. */
export function createAskEnds(
  store: Pick<FulfilmentStore, 'openTransactions' | 'endTransactions'>,
  clock: Clock,
) {
  return async ({
    batch,
    target,
    connector,
    outcomes,
    fail,
  }: AskEndsRun): Promise<LeasedTask[]> => {
    const transactions = await store.openTransactions(batch, batch.tasks.map(taskNoOf));
    if (transactions.length === 0) return [...batch.tasks];
    const asked = await askAll(connector, transactions);
    const known = new Map<number, LeasedTask>();
    const ends: TransactionOfTask[] = [];
    const end = (task: LeasedTask, { reported, isCommitted }: End): void => {
      ends.push({ taskNo: task.taskNo, reported });
      known.set(task.taskNo, withEnd(task, { reported, isCommitted }));
    };
    for (const task of batch.tasks) {
      const { taskNo } = task;
      const of = asked.find(({ transaction }) => transaction.tables.has(taskNo));
      const recorded = of?.transaction.tables.get(taskNo);
      if (of === undefined || recorded === undefined) continue;
      const reported = task.reported ?? byName<never>();
      // Another database does not know the transaction, and would take it for one that was rolled back.
      const isHere = task.intent !== null && isSamePlace(task.intent, target.planDigest);
      if (isHere && of.end === 'committed') end(task, { reported: recorded, isCommitted: true });
      else if (isHere && of.end === 'rolled_back') end(task, { reported: null });
      else if (isHere && of.end === 'open') {
        if (clock() - of.transaction.recordedTime < DAY_MS) fail(task, STILL_OPEN);
        else outcomes.set(taskNo, { taskNo, ...OPEN_FOR_A_DAY, previewedRows: null });
      } else if (isHere && connector.isAtomic !== true)
        // What it finds now was not erased.
        known.set(taskNo, {
          ...task,
          reported: withUnconfirmed(
            reported,
            lessCounts(unconfirmedIn(recorded), unconfirmedIn(reported)),
          ),
          unanswered: rowsOfAttempt(reported, recorded),
        });
      else end(task, { reported: withUnknownEnd(reported, recorded) });
    }
    if (ends.length > 0) await store.endTransactions(batch, ends);
    return batch.tasks
      .filter(({ taskNo }) => !outcomes.has(taskNo))
      .map((task) => known.get(task.taskNo) ?? task);
  };
}

async function askAll(
  connector: Connector,
  transactions: readonly OpenTransaction[],
): Promise<Asked[]> {
  const names = transactions.flatMap(({ name }) => (name === null ? [] : [name]));
  const answers = names.length === 0 ? [] : await connector.endOf?.(names);
  const ends = new Map(names.map((name, place) => [name, answers?.[place]]));
  return transactions.map((transaction) => ({
    transaction,
    end: (transaction.name === null ? undefined : ends.get(transaction.name)) ?? 'unknown',
  }));
}

interface End extends Pick<TransactionOfTask, 'reported'> {
  readonly isCommitted?: true | undefined;
}

function withEnd(task: LeasedTask, { reported, isCommitted }: End): LeasedTask {
  const { intent } = task;
  if (reported === null) return task;
  const known = { ...task, reported, intent: intent && ({ ...intent, state: 'done' } as const) };
  return isCommitted === true ? { ...known, isRecovered: true } : known;
}

const taskNoOf = ({ taskNo }: LeasedTask) => taskNo;

const STILL_OPEN = {
  code: 'transaction_open',
  detail:
    'the transaction of an earlier attempt is still open at the target, and may yet commit; it is asked again',
} as const;

const OPEN_FOR_A_DAY: Held = {
  outcome: 'held',
  reason: 'transaction_open',
  detail:
    'the transaction of an earlier attempt has been open at the target for a day; end it there, then release: the target is asked again how it ended',
};

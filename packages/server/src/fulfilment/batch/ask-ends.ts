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
import { withUnconfirmed } from '../../domain/task/unconfirmed.ts';
import { DAY_MS } from '../../domain/time-units.ts';
import { reportedRows } from '../evidence/make-evidence.ts';
import { lessCounts, maxCounts } from '../intent/merge-intent.ts';
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
    const begun = batch.tasks.filter(({ intent }) => intent?.state === 'erasing');
    if (begun.length === 0) return [...batch.tasks];
    const transactions = await store.openTransactions(batch, begun.map(taskNoOf));
    const asked = await askAll(connector, transactions);
    const ends: EndOfTask[] = [];
    for (const task of begun) {
      const own = asked.filter(({ transaction }) => transaction.tables.has(task.taskNo));
      const isHere = task.intent !== null && isSamePlace(task.intent, target.planDigest);
      // Another database does not know the transaction, and would take it for one that was rolled back.
      if (!isHere)
        ends.push(
          own.length > 0 || connector.endOf === undefined
            ? unknownEnd(task, own)
            : { taskNo: task.taskNo, reported: null },
        );
      else if (connector.endOf !== undefined) {
        const open = own.find((one) => one.end === 'open');
        if (open === undefined) ends.push(endOfTask(task, own));
        else if (clock() - open.transaction.recordedTime < DAY_MS) fail(task, STILL_OPEN);
        else
          outcomes.set(task.taskNo, {
            taskNo: task.taskNo,
            ...OPEN_FOR_A_DAY,
            previewedRows: null,
          });
      }
    }
    if (ends.length > 0) await store.endTransactions(batch, ends);
    const known = new Map(ends.map((end) => [end.taskNo, end]));
    return batch.tasks
      .filter(({ taskNo }) => !outcomes.has(taskNo))
      .map((task) => withEnd(task, known.get(task.taskNo)));
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

interface EndOfTask extends TransactionOfTask {
  readonly isCommitted?: true;
}

/** Of the transactions of one task, at most one can have committed. */
function endOfTask(task: LeasedTask, own: readonly Asked[]): EndOfTask {
  const { taskNo } = task;
  const committed = own.findLast(({ end }) => end === 'committed')?.transaction.tables.get(taskNo);
  if (committed !== undefined) return { taskNo, reported: committed, isCommitted: true };
  const unknown = own.filter(({ end }) => end === 'unknown');
  return unknown.length === 0 ? { taskNo, reported: null } : unknownEnd(task, unknown);
}

/** What was recorded may have been erased. Without a record, it is what the intent says, if the target keeps no records. */
function unknownEnd(task: LeasedTask, own: readonly Asked[]): EndOfTask {
  const { taskNo, intent } = task;
  const before = task.reported ?? byName<never>();
  const recorded = own.map(({ transaction }) =>
    lessCounts(reportedRows(transaction.tables.get(taskNo) ?? byName()), reportedRows(before)),
  );
  const most =
    own.length === 0 ? (intent?.counts ?? byName<number>()) : recorded.reduce(maxCounts, byName());
  return { taskNo, reported: withUnconfirmed(before, most) };
}

function withEnd(task: LeasedTask, end: EndOfTask | undefined): LeasedTask {
  const { intent } = task;
  if (end === undefined || intent === null) return task;
  const { reported, isCommitted } = end;
  if (reported === null) return { ...task, intent: { ...intent, state: 'recorded' } };
  const known = { ...task, intent: { ...intent, state: 'done' }, reported } as const;
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

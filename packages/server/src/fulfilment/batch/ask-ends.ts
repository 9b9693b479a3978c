// A worker that did not report leaves tasks behind of which it is not known whether they have erased. Their target says
// how the transactions ended; then it is as if the worker had reported that.
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
import type { Tables } from '../../domain/task/task.ts';
import { DAY_MS } from '../../domain/time-units.ts';
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
    const { endOf } = connector;
    const begun = batch.tasks.filter(({ intent }) => intent?.state === 'erasing');
    if (endOf === undefined || begun.length === 0) return [...batch.tasks];
    const transactions = await store.openTransactions(batch, begun.map(taskNoOf));
    const asked = await askAll(connector, transactions);
    const isElsewhere = ({ intent }: LeasedTask) =>
      intent !== null && !isSamePlace(intent, target.planDigest);
    const ends: TransactionOfTask[] = [];
    for (const task of begun) {
      const own = asked.filter(({ transaction }) => transaction.tables.has(task.taskNo));
      // Another database does not know the transaction, and would take it for one that was rolled back.
      if (own.length > 0 && isElsewhere(task)) continue;
      const end = endOfTask(task, own);
      const open = own.find((one) => one.end === 'open');
      if (end !== undefined) ends.push(end);
      else if (open === undefined) continue;
      else if (clock() - open.transaction.recordedTime < DAY_MS) fail(task, STILL_OPEN);
      else
        outcomes.set(task.taskNo, { taskNo: task.taskNo, ...OPEN_FOR_A_DAY, previewedRows: null });
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

/** Undefined if it is not known. Of the transactions of one task, at most one can have committed. */
function endOfTask({ taskNo }: LeasedTask, own: readonly Asked[]): TransactionOfTask | undefined {
  const committed = own.findLast(({ end }) => end === 'committed')?.transaction.tables.get(taskNo);
  if (committed !== undefined) return { taskNo, committed };
  return own.every(({ end }) => end === 'rolled_back') ? { taskNo, committed: null } : undefined;
}

function withEnd(task: LeasedTask, end: TransactionOfTask | undefined): LeasedTask {
  const { intent } = task;
  if (end === undefined || intent === null) return task;
  if (end.committed === null) return { ...task, intent: { ...intent, state: 'recorded' } };
  const reported: Tables = end.committed;
  return { ...task, intent: { ...intent, state: 'done' }, reported, isRecovered: true };
}

const taskNoOf = ({ taskNo }: LeasedTask) => taskNo;

const STILL_OPEN = {
  code: 'transaction_open',
  detail:
    'the transaction of an earlier attempt is still open at the target, and may yet commit; it is asked again',
} as const;

const OPEN_FOR_A_DAY: Held = {
  outcome: 'held',
  reason: 'unsettled',
  detail:
    'the transaction of an earlier attempt has been open at the target for a day; end it there, then release: the receipt will not claim what that attempt erased',
};

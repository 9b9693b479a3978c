// Erasing at a target that does not find and erase in one transaction: it is previewed, and then called. A call is recorded
// before it is made: if no answer comes, the target may have erased what it was told to.
import { byName } from '../domain/by-name.ts';
import {
  type Connector,
  type EraseOrder,
  type EraseSteps,
  type Erasure,
  NO_ANSWER,
  totalOf,
} from '../domain/target/connector.ts';

export const LEFT_OUT: Erasure = { outcome: 'left_out' };
const NOTHING: Erasure = { outcome: 'erased', counts: byName() };

export function eraseAsPreviewed(
  preview: Connector['preview'],
  erase: (
    orders: readonly EraseOrder[],
    record: EraseSteps['record'],
  ) => Promise<readonly Erasure[]>,
): Connector['erase'] {
  return async (subjects, { decide, record }) => {
    const previews = await preview(subjects);
    const decided = decide(
      subjects,
      subjects.map((_, place) => previews[place] ?? NO_ANSWER),
    );
    const ordered = new Map(decided.map((order) => [order.taskNo, order]));
    const orders = decided.filter(({ counts }) => totalOf(counts) > 0);
    const erasures = orders.length === 0 ? [] : await erase(orders, record);
    const answers = new Map(
      orders.map(({ taskNo }, place) => [taskNo, erasures[place] ?? NO_ANSWER]),
    );
    return subjects.map(
      ({ taskNo }) => answers.get(taskNo) ?? (ordered.has(taskNo) ? NOTHING : LEFT_OUT),
    );
  };
}

/** For targets without transactions: the call is recorded, and made if it may be. */
export function eraseByCall(
  preview: Connector['preview'],
  call: (orders: readonly EraseOrder[]) => Promise<readonly Erasure[]>,
): Connector['erase'] {
  return eraseAsPreviewed(preview, async (orders, record) =>
    (await recordCall(orders, record)) ? call(orders) : orders.map(() => LEFT_OUT),
  );
}

/** Whether the call may be made. */
export function recordCall(
  orders: readonly EraseOrder[],
  record: EraseSteps['record'],
): Promise<boolean> {
  const erasures = orders.map(({ taskNo, counts }) => ({
    taskNo,
    erasure: { outcome: 'erased', counts } as const,
  }));
  return record({ name: null, erasures });
}

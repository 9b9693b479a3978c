// A target without transactions, or whose transactions may commit by themselves, is called only after its call was recorded:
// if no answer comes, it may have erased what it was told to.
import type { EraseOrder, RecordTransaction } from '../domain/target/connector.ts';

export async function recordCall(
  orders: readonly EraseOrder[],
  record: RecordTransaction | undefined,
): Promise<void> {
  const erasures = orders.map(({ taskNo, counts }) => ({
    taskNo,
    erasure: { outcome: 'erased', counts } as const,
  }));
  if (erasures.length > 0) await record?.({ name: null, erasures });
}

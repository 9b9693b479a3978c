// What a store reads for a receipt, put together.
import type { KnownHead } from '../domain/proof-ports.ts';
import type { ReceiptFacts } from '../domain/receipt.ts';
import type { Evidence, Plan } from '../domain/task.ts';

export interface ReceiptRequestRow
  extends Omit<ReceiptFacts, 'plan' | 'tasks' | 'previous' | 'head'> {
  readonly plan: string | null;
}

export interface ReceiptTaskRow extends Omit<ReceiptFacts['tasks'][number], 'evidence'> {
  readonly evidence: string;
}

export interface LastReceiptRow {
  readonly receiptNo: number;
  readonly document: string;
  readonly lastTaskNo: number;
}

export function factsOf(
  { plan, ...request }: ReceiptRequestRow,
  tasks: readonly ReceiptTaskRow[],
  before: LastReceiptRow | undefined,
  head: KnownHead | undefined,
): ReceiptFacts {
  return {
    ...request,
    plan: JSON.parse(plan ?? '[]') as Plan['targets'],
    tasks: tasks.map(({ taskNo, target, run, evidence }) => ({
      ...{ taskNo, target, run },
      evidence: JSON.parse(evidence) as Evidence,
    })),
    previous: before ? { receiptNo: before.receiptNo, document: before.document } : null,
    head: head ?? null,
  };
}

// Where the evidence of a request is not what the audit log says, no receipt is signed: an operator decides.
import { ReceiptRefused } from '../../domain/receipt/receipt.ts';
import { CommandFailure } from '../shared/failure.ts';

export async function explainRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ReceiptRefused)) throw error;
    throw new CommandFailure(
      `no receipt is signed: ${error.message}. Another program wrote to the store: restore what was changed from a backup, and run this again. If the evidence is right as it is now, use --accept-evidence --reason "…"; the receipt will say so`,
    );
  }
}

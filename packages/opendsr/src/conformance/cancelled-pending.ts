import type { Exchange } from './exchange.ts';
import { NotApplicable } from './findings.ts';
import type { Kit } from './kit.ts';

/** A processor may start a request at once: then nothing can be said about cancelling pending ones. */
export async function cancelledPending(kit: Kit): Promise<Exchange> {
  const cancelled = await kit.cancelled();
  if (cancelled.answer.status === 202) return cancelled;
  const { json } = await kit.statusAfterCancel();
  const state = json?.request_status;
  if (state === 'in_progress' || state === 'completed') {
    throw new NotApplicable(`the request was ${state} before it could be cancelled`);
  }
  return cancelled;
}

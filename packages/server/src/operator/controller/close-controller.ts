// The end of a controller's contract: access ends at once, its open requests end, and a signed statement says what was
// done. Its records are forgotten as usual. Repeating it goes on where it stopped.
import type { ClosingFacts } from '../../domain/receipt/closing.ts';
import type { Store } from '../../domain/store/store.ts';
import { type Actor, NotPossible } from '../../domain/task/operator-ports.ts';
import { InvalidInput } from '../failures.ts';
import { isoTime } from '../iso-time.ts';
import { refuseNamesIn } from '../request/refuse-identities.ts';
import { findController } from './find-controller.ts';

type Stores = Pick<
  Store,
  'tenants' | 'tenantWriter' | 'views' | 'operator' | 'closing' | 'legalHolds' | 'auditLog'
>;

export interface Closing {
  readonly reason: string;
  /** What becomes of requests that have not started. */
  readonly pending: 'wait' | 'cancel';
}

const PAGE = 200;

export async function closeController(
  store: Stores,
  id: string,
  { reason, pending }: Closing,
  by: Actor,
): Promise<void> {
  const { controllerId } = await findController(store.tenants, id);
  refuseNamesIn({ reason }, []);
  await store.tenantWriter.closeController(controllerId, reason, by.now, by.actor);
  if (pending === 'cancel') await cancelPending(store, id, reason, by);
}

async function cancelPending(store: Stores, id: string, reason: string, by: Actor): Promise<void> {
  const { controllerId } = await findController(store.tenants, id);
  for (;;) {
    const { items } = await store.views.requests({ controllerId, status: 'pending', limit: PAGE });
    let cancelled = 0;
    for (const request of items) {
      if (await tryCancel(store, request, reason, by)) cancelled++;
    }
    if (cancelled === 0) return;
  }
}

/** One that has just started is not pending any more. */
async function tryCancel(
  { operator }: Stores,
  request: Parameters<Store['operator']['cancel']>[0],
  reason: string,
  by: Actor,
): Promise<boolean> {
  try {
    await operator.cancel(request, reason, by);
    return true;
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error;
    return false;
  }
}

export async function closingOf(store: Stores, id: string) {
  const { controllerId, closedTime = null } = await findController(store.tenants, id);
  const { open } = await store.closing.standing(controllerId);
  const holds = await store.legalHolds.list({ controllerId, isInForce: true });
  return {
    controller_id: controllerId,
    closed_time: isoTime(closedTime),
    pending: open.pending,
    in_progress: open.inProgress,
    legal_holds: holds.length,
  };
}

/** Refused while a request is open: the statement is the last word. */
export async function closingFacts(store: Stores, id: string): Promise<ClosingFacts> {
  const controller = await findController(store.tenants, id);
  const { controllerId, createdTime, closedTime = null } = controller;
  if (closedTime === null) {
    throw new NotPossible(`controller ${id} is not closed: "unwrite controller close ${id}"`);
  }
  const { open, kept, lastEndedTime } = await store.closing.standing(controllerId);
  if (open.pending + open.inProgress > 0) {
    throw new NotPossible(
      `${open.pending + open.inProgress} requests of controller ${id} are open; the statement is signed when they have ended`,
    );
  }
  const totals = await store.views.totals(controllerId);
  const [newest] = await store.auditLog.list({ controllerId, limit: 1 });
  return {
    controllerId,
    createdTime,
    closedTime,
    completed: totals.get('completed') ?? 0,
    nowhere: totals.get('nowhere') ?? 0,
    cancelled: totals.get('cancelled') ?? 0,
    kept,
    lastEndedTime,
    lastAuditNo: newest?.auditNo ?? 0,
  };
}

export function requireConfirmed(id: string, confirmed: string | undefined): void {
  if (confirmed === id) return;
  throw new InvalidInput('confirm', `must be ${id}: closing cannot be undone`);
}

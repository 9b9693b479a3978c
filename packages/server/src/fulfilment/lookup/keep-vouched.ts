// After rows were erased, written down with the intent for the other targets of the request: which looked-up identities are not given any more, and which rows still have their values. Only
// what was proven before and is not given now was proven by rows that this request has erased.
import type { Clock } from '../../domain/clock.ts';
import type {
  FulfilmentStore,
  IntentState,
  LeasedBatch,
  Vouched,
} from '../../domain/task/fulfilment-ports.ts';
import type { Case } from '../batch/case.ts';
import { sealIntents } from '../intent/intents.ts';
import { nameOf, type OpenedTask } from '../open-subjects.ts';
import { createAskSource, type OwnTarget } from './ask-source.ts';
import { mayEraseFrom } from './may-erase.ts';
import { createProveLookedUp, type LookupParts } from './prove-looked-up.ts';

interface VouchingTask extends OpenedTask {
  /** Proven when the rows were erased. */
  readonly vouched: readonly Vouched[];
}

export interface KeepVouchedParts extends LookupParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
}

interface Attempt extends OwnTarget {
  readonly batch: LeasedBatch;
}

export function createKeepVouched(parts: KeepVouchedParts) {
  const { store, clock, keysVault } = parts;
  const settleVouched = createSettleVouched(parts);

  /** What another process changes meanwhile in a table that the target does not erase from is not its doing. */
  function mayHaveErased({ target }: OwnTarget, source: string): boolean {
    const looksUp = source === target.name ? target : parts.targetNamed(source);
    if (looksUp === undefined || !('resolve' in looksUp) || looksUp.resolve === null) return false;
    return mayEraseFrom(target, looksUp.resolve.table);
  }

  /** `cases`: those that go on. `stateOf`: of their intents. */
  return async (
    { batch, ...own }: Attempt,
    cases: readonly Case[],
    stateOf: (taskNo: number) => IntentState,
  ): Promise<void> => {
    const vouching = cases.flatMap((one) => {
      const vouched = (one.intended.vouched ?? []).filter(({ source }) =>
        mayHaveErased(own, source),
      );
      const hasErased = one.erased !== undefined || one.hasErasedBefore;
      return vouched.length > 0 && hasErased ? [{ ...one, vouched }] : [];
    });
    if (vouching.length === 0) return;
    const settled = await settleVouched(own, vouching);
    const known = vouching.map((one, place) => ({
      ...one,
      intended: { ...one.intended, vouched: settled[place] ?? [] },
    }));
    const { planDigest } = own.target;
    const intents = sealIntents(keysVault, batch.target, planDigest, known, stateOf);
    await store.recordIntents(batch, intents, clock());
  };
}

/** In the order given. Nothing is vouched for where a target cannot be asked. */
function createSettleVouched(parts: LookupParts) {
  const proveLookedUp = createProveLookedUp(parts);
  const ask = createAskSource(parts);

  return async (own: OwnTarget, tasks: readonly VouchingTask[]): Promise<Vouched[][]> => {
    const proofs = await proveLookedUp(own, tasks, () => true);
    const settled = tasks.map((): Vouched[] => []);
    const sources = new Set(tasks.flatMap(({ vouched }) => vouched.map(({ source }) => source)));
    for (const source of sources) {
      const asked = tasks.flatMap(({ task, subject, vouched }, place) => {
        const proof = proofs.get(task.taskNo);
        if (proof === undefined || proof.stopped !== undefined) return [];
        const names = new Set(vouched.flatMap((one) => (one.source === source ? one.name : [])));
        const lookedUp = (proof.subject.unproven ?? []).filter((one) => names.has(nameOf(one)));
        return lookedUp.length === 0 ? [] : [{ place, subject: { ...subject, lookedUp } }];
      });
      if (asked.length === 0) continue;
      const subjects = asked.map(({ subject }) => subject);
      const rows = await ask(own, source, (connector) => connector.rowsWith?.(subjects));
      if (rows.outcome === 'failed') continue;
      asked.forEach(({ place, subject }, index) => {
        const left = rows.answers[index];
        if (left === undefined) return;
        for (const one of subject.lookedUp)
          settled[place]?.push({ source, name: nameOf(one), left });
      });
    }
    return settled;
  };
}

// Posts the newest head to the witness, with the proof that it continues the last one sent. If the witness was
// slow or down, the next head covers everything before it.
import {
  type AuditProofs,
  type ConsistencyDocument,
  NoProof,
} from '../../domain/audit/proof-documents.ts';
import type { WitnessMessage, WitnessStore } from '../../domain/audit/witness-ports.ts';
import type { Chore, DueChore } from '../../domain/chore.ts';
import type { Clock } from '../../domain/clock.ts';
import { TURN_MS, webhookRetryTime } from '../../domain/webhook-retry.ts';

export interface WitnessParts {
  readonly store: WitnessStore;
  readonly proofs: Pick<AuditProofs, 'newestHead' | 'consistency'>;
  readonly domain: string;
  readonly clock: Clock;
  readonly post: (
    message: WitnessMessage,
  ) => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  readonly failed: (reason: string, failures: number) => void;
}

export function createWitnessDue(store: Pick<WitnessStore, 'due'>): DueChore {
  return { name: 'telling the witness', isDue: store.due };
}

/** A slow witness must not keep the worker from its batches. */
export function createWitnessChore(
  parts: WitnessParts,
): Chore & { readonly idle: () => Promise<void> } {
  const { store, proofs, domain, clock, post, failed } = parts;
  let underWay: Promise<void> | undefined;

  async function tell(): Promise<void> {
    const last = await store.take(clock(), clock() + TURN_MS);
    if (last === undefined) return;
    const consistency = last === 0 ? null : await orNone(proofs.consistency(last));
    const head = consistency?.to ?? (await proofs.newestHead());
    // Another node has just told it.
    if (head.head_no === last) return store.told(last);
    const posted = await post({
      document: 'unwrite audit witness',
      processor_domain: domain,
      head,
      consistency,
    });
    if (posted.ok) await store.told(head.head_no);
    else {
      const retryTime = (failures: number) => webhookRetryTime(clock(), failures);
      failed(posted.reason, await store.failed(retryTime));
    }
  }

  return {
    ...createWitnessDue(store),
    isDue: async (now) => underWay === undefined && store.due(now),
    async run() {
      underWay = tell()
        // The store is closed when the worker ends: then the head is sent again later.
        .catch(() => undefined)
        .finally(() => {
          underWay = undefined;
        });
    },
    idle: async () => underWay,
  };
}

/** For example after a new tree was begun: the witness sees a head that continues no other. */
async function orNone(proof: Promise<ConsistencyDocument>): Promise<ConsistencyDocument | null> {
  try {
    return await proof;
  } catch (error) {
    if (error instanceof NoProof) return null;
    throw error;
  }
}

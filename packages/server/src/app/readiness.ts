// Why this node is not ready: empty when it is.

import type { Store } from '../domain/store/store.ts';
import { StoreReadOnly } from '../domain/store/store-unavailable.ts';
import type { VaultKeys } from '../vault/load-keys.ts';
import type { StoreGuard } from './restored-store.ts';
import type { Serving } from './serving.ts';
import { within } from './within.ts';

/** Health probes give up soon, while a cut connection to the store may stay silent for long. */
const READY_WITHIN_MS = 3000;

export interface ReadinessParts {
  readonly isServing: () => boolean;
  readonly serving: Pick<Serving, 'troubles'>;
  readonly guard: Pick<StoreGuard, 'troubles'>;
  readonly vaultKeys: VaultKeys;
  readonly store: Pick<Store, 'ping'>;
}

export function createReadiness(parts: ReadinessParts): () => Promise<string[]> {
  const { isServing, serving, guard, vaultKeys, store } = parts;
  return async () => {
    const reasons = isServing() ? [] : ['shutting down'];
    reasons.push(...serving.troubles(), ...(await guard.troubles()));
    const { lacking } = vaultKeys;
    if (lacking !== undefined)
      reasons.push(`the master key ${lacking}, which the store uses, is not on this node`);
    try {
      await within(READY_WITHIN_MS, store.ping());
    } catch (error) {
      reasons.push(error instanceof StoreReadOnly ? error.message : 'the store cannot be read');
    }
    return reasons;
  };
}

import { afterEach, beforeEach } from 'vitest';
import {
  ACME,
  createScene,
  type FulfilmentUnderTest,
  GLOBEX,
  type OpenFulfilmentStore,
  type Scene,
  START,
  type VirtualClock,
} from './under-test.ts';

export interface StoreInUse {
  readonly under: FulfilmentUnderTest;
  readonly scene: Scene;
  readonly clock: VirtualClock;
}

/** The store of the case that runs. */
export type UseStore = () => StoreInUse;

/** A fresh store before each case of the describe block that this is called in. */
export function useStore(openStore: OpenFulfilmentStore): UseStore {
  let inUse: StoreInUse;
  beforeEach(async () => {
    const clock = { now: START };
    const under = await openStore([ACME, GLOBEX], clock);
    inUse = { under, clock, scene: createScene(under, clock) };
  });
  afterEach(() => inUse.under.close());
  return () => inUse;
}

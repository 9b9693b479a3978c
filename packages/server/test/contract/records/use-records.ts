import { afterEach, beforeEach } from 'vitest';
import {
  addControllers,
  createRecords,
  type OpenRecords,
  type Records,
  type RecordsNode,
  type RecordsUnderTest,
} from './under-test.ts';

export interface RecordsInUse {
  readonly under: RecordsUnderTest;
  readonly node: RecordsNode;
  readonly other: RecordsNode;
  readonly records: Records;
}

/** A fresh store that knows two controllers, before each case of the describe block. */
export function useRecords(openRecords: OpenRecords): () => RecordsInUse {
  let inUse: RecordsInUse;
  beforeEach(async () => {
    const under = await openRecords();
    const { node } = under;
    await addControllers(node);
    inUse = {
      under,
      node,
      get other() {
        return under.other;
      },
      records: createRecords(under),
    };
  });
  afterEach(() => inUse.under.close());
  return () => inUse;
}

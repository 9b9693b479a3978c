// A witness keeps heads out of reach of people who can change the store.
import type { ConsistencyDocument, HeadDocument } from './proof-documents.ts';

export interface WitnessMessage {
  readonly document: 'unwrite audit witness';
  readonly processor_domain: string;
  readonly head: HeadDocument;
  /** From the head that it got last; null for the first, and where that cannot be proven any more. */
  readonly consistency: ConsistencyDocument | null;
}

export interface WitnessStore {
  /** A newer head than the witness has, and the time to tell it has come. */
  due(now: number): Promise<boolean>;
  /** The head that the witness got last; 0 where none. */
  lastTold(): Promise<number>;
  told(headNo: number): Promise<void>;
  /** Answers how often in a row. */
  failed(retryTime: (failures: number) => number): Promise<number>;
}

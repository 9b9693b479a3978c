// A witness keeps heads out of reach of people who can change the store.
import type { ConsistencyDocument, HeadDocument } from './proof-documents.ts';

export interface WitnessMessage {
  readonly document: 'unwrite audit witness';
  readonly processor_domain: string;
  readonly head: HeadDocument;
  /** Proof from the head that the witness got last; null for the first head, or if no proof can be made any more. */
  readonly consistency: ConsistencyDocument | null;
}

export interface WitnessStore {
  /** Whether there is a newer head than the witness has and the time to send it has come. */
  due(now: number): Promise<boolean>;
  /**
   * Takes the turn until that time. Returns the number of the head that the witness got last, 0 before the first;
   * undefined if another node has the turn.
   */
  take(now: number, until: number): Promise<number | undefined>;
  told(headNo: number): Promise<void>;
  /** Returns the number of failures in a row. */
  failed(retryTime: (failures: number) => number): Promise<number>;
}

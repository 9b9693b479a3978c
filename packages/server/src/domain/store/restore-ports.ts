// What detecting and reviewing a restored store need from the store.
import type { RequestStatus } from '@unwrite/protocol';
import type { Actor } from '../task/operator-ports.ts';
import type { Finding, RecordedHead, Restore } from './restore.ts';

/** Asked every second: costs a few keyed reads. */
export interface RestoreState {
  /** The restore that is not confirmed yet. */
  readonly openNo: number | null;
  /** The newest of all. */
  readonly lastNo: number | null;
  readonly headNo: number | null;
  readonly headHash: Uint8Array | null;
  /** A node of an earlier version has noticed something, and knows no other way to say so. */
  readonly isPausedBySystem: boolean;
}

/** A request of the list, as the store has it now. */
export interface ReviewedRequest extends Finding {
  /** Null: the store does not have it. */
  readonly status: RequestStatus | null;
  readonly receivedTime: number | null;
  /** Confirming cancels it again. */
  readonly isToCancel: boolean;
}

export interface RestoreStore {
  state(): Promise<RestoreState>;
  head(headNo: number): Promise<RecordedHead | undefined>;
  /** All of them, oldest first. */
  restores(): Promise<Restore[]>;
  /** From then on nothing starts, on any node. Answers whether it was not so before. */
  declare(reason: string, by: Actor): Promise<boolean>;
  /**
   * Adds to the list of the open restore what it does not have; then it must be reviewed again. Answers how many;
   * undefined where none is open any more: nothing would come of it.
   */
  addFindings(findings: readonly Finding[]): Promise<number | undefined>;
  /** By time. */
  findings(): Promise<ReviewedRequest[]>;
  /** The first review of a list is in the audit log, with what the operator added to it. */
  reviewed(
    list: { readonly added: number; readonly requests: readonly ReviewedRequest[] },
    by: Actor,
  ): Promise<void>;
  /**
   * Cancels what is to be cancelled again, and lets the installation go on. Answers how many it cancelled;
   * undefined where this list was not reviewed, unless that is `anyway` right. `check` throws
   * where the list is not the one that was seen; nothing else is cancelled than what it was given.
   */
  confirm(
    anyway: boolean,
    by: Actor,
    check?: (requests: readonly ReviewedRequest[]) => void,
  ): Promise<number | undefined>;
}

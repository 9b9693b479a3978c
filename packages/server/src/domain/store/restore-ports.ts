// What detecting and reviewing a restored store need from the store.
import type { RequestStatus } from '@unwrite/protocol';
import type { Actor } from '../task/operator-ports.ts';
import type { Finding, Happened, RecordedHead, Restore } from './restore.ts';

/** Read every second, so it costs only a few keyed reads. */
export interface RestoreState {
  /** The restore that is not confirmed yet. */
  readonly openNo: number | null;
  /** The newest restore. */
  readonly lastNo: number | null;
  readonly headNo: number | null;
  readonly headHash: Uint8Array | null;
  /** Erasing is paused for a restore. */
  readonly isPausedBySystem: boolean;
}

/** A request of the list with its current state in the store. */
export interface ReviewedRequest extends Finding {
  /** Null if the store does not have the request. */
  readonly status: RequestStatus | null;
  readonly receivedTime: number | null;
  /** False if someone else wrote it, or changed it since. */
  readonly isOurs: boolean;
  /** Whether confirming will cancel it again. */
  readonly isToCancel: boolean;
}

export interface RestoreStore {
  state(): Promise<RestoreState>;
  head(headNo: number): Promise<RecordedHead | undefined>;
  /** Those in rows of the audit log with these numbers, the first one excluded. */
  cancelledBetween(after: number, upTo: number): Promise<Happened[]>;
  /** All of them, oldest first. */
  restores(): Promise<Restore[]>;
  /** From now on nothing starts, on any node. Returns whether this call declared it. */
  declare(reason: string, by: Actor): Promise<boolean>;
  /**
   * Adds new findings to the list of the open restore, which must then be reviewed again. Returns how many were
   * added; undefined if no restore is open any more, so that nothing was done.
   */
  addFindings(findings: readonly Finding[]): Promise<number | undefined>;
  /** Ordered by time. */
  findings(): Promise<ReviewedRequest[]>;
  /** The first review of a list is written to the audit log, with what the operator added to it. */
  reviewed(
    list: { readonly added: number; readonly requests: readonly ReviewedRequest[] },
    by: Actor,
  ): Promise<void>;
  /**
   * Cancels what is to be cancelled again, and resumes the installation. Returns how many it cancelled; undefined
   * if this list was not reviewed, unless `anyway` is set. `check` throws if the list is not the one that was seen;
   * only requests on the list that it got are cancelled.
   */
  confirm(
    anyway: boolean,
    by: Actor,
    check?: (requests: readonly ReviewedRequest[]) => void,
  ): Promise<number | undefined>;
}

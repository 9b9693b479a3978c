// What the targets of all connectors have.
import type { ControllerId } from '../tenant/controller-id.ts';

export interface TargetCommon {
  readonly name: string;
  /** What receipts for controllers call it; its name if left out. */
  readonly label?: string;
  /** `preview` counts and holds; nothing is touched until an operator releases. */
  readonly mode: 'erase' | 'preview';
  /** The controllers whose data it holds; null means all. Others' requests get no task here. */
  readonly controllers: readonly ControllerId[] | null;
  readonly maxRowsPerSubject: number;
  /** Most rows erased here on one UTC day; further tasks wait for the next day. Null means no limit. */
  readonly maxRowsPerDay: number | null;
  readonly batchSize: number;
  /** Batches at a time. Two if the server can work on one while we prepare the other. */
  readonly concurrency: number;
  /** Hours in which its batches run; null means always. */
  readonly hours: Hours | null;
  /** What happens to a request without an identity that the target can use. */
  readonly whenUnmatched: 'hold' | 'skip';
  /** Targets to erase from before this one, as configured. */
  readonly after?: readonly string[];
  /** The same, and the targets that must run before because of lookups. */
  readonly runsAfter?: readonly string[];
  /** Digest of the settings that decide what is erased; contains no secrets. */
  readonly digest: string;
  /**
   * Digest of the settings that decide which rows are meant: not mode, limits or hours. An intent is valid for one
   * of these digests. The part before the hyphen says where the rows are.
   */
  readonly planDigest: string;
}

/** Minutes since midnight in a time zone; `from` later than `to` crosses midnight. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  readonly timeZone: string;
  /** As written in the configuration. */
  readonly text: string;
}

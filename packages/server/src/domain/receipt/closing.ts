// What the closing statement of a controller is made of.
import type { ControllerId } from '../tenant/controller-id.ts';

export interface ClosingFacts {
  readonly controllerId: ControllerId;
  readonly createdTime: number;
  readonly closedTime: number;
  readonly completed: number;
  /** Completed, and found at no target. */
  readonly nowhere: number;
  readonly cancelled: number;
  /** Requests whose records are not forgotten yet, and when the last of them ended. */
  readonly kept: number;
  readonly lastEndedTime: number | null;
  /** The newest row about the controller. */
  readonly lastAuditNo: number;
}

export interface OpenRequests {
  readonly pending: number;
  /** In progress, or being erased again. */
  readonly inProgress: number;
}

export interface ClosingStore {
  /** The closing reads these two together. */
  standing(controllerId: ControllerId): Promise<{
    readonly open: OpenRequests;
    readonly kept: number;
    readonly lastEndedTime: number | null;
  }>;
}

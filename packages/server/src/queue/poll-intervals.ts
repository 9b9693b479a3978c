// How often the parts of a service poll. Set in app/, not by the operator:
// tests shorten them, so that they do not wait for the next poll.

/** Milliseconds. */
export interface PollIntervals {
  /** The server: whether a worker's thread is wanted. */
  readonly worker: number;
  /** The worker's thread: for batches. */
  readonly batches: number;
  /** Where nodes share a store: for requests that are due, and chores. */
  readonly schedules: number;
  /** The server: for a new master key. */
  readonly masterKeys: number;
  /** The server: for clients, secrets and signing keys that were revoked or added. */
  readonly credentials: number;
  /** The server and the worker: for daily limits that were reached and targets that are down. */
  readonly conditions: number;
  /** The server: whether the store went back in time. */
  readonly restores: number;
  /** The server: for a new TLS certificate. */
  readonly tls: number;
}

export const POLL_INTERVALS: PollIntervals = {
  worker: 1000,
  batches: 500,
  schedules: 1000,
  masterKeys: 1000,
  credentials: 5000,
  // What is wrong for ten more seconds is not worth the reading.
  conditions: 10_000,
  restores: 1000,
  tls: 10_000,
};

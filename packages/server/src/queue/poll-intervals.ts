// How often the parts of a service poll. Set in app/, not by the operator:
// tests shorten them, so that they do not wait for the next poll.

/** Milliseconds. */
export interface PollIntervals {
  /** Server: whether a worker thread is needed. */
  readonly worker: number;
  /** Worker thread: batches. */
  readonly batches: number;
  /** Nodes that share a store: due requests, and chores. */
  readonly schedules: number;
  /** Server: a new master key. */
  readonly masterKeys: number;
  /** Server: clients, secrets and signing keys that were revoked or added. */
  readonly credentials: number;
  /** Server and worker: daily limits that were reached, and targets that are down. */
  readonly conditions: number;
  /** Server: whether a backup of the store was restored. */
  readonly restores: number;
  /** Server: a new TLS certificate. */
  readonly tls: number;
}

export const POLL_INTERVALS: PollIntervals = {
  worker: 1000,
  batches: 500,
  schedules: 1000,
  masterKeys: 1000,
  credentials: 5000,
  // Reporting such a condition ten seconds later does no harm, and more reads would cost more.
  conditions: 10_000,
  restores: 1000,
  tls: 10_000,
};

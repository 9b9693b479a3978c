// What a queue of many nodes needs from a job queue that they share. A job says which target may have work, or that it is
// time to look for work, never what the work is: so jobs need not be kept.

export type QueueName = 'schedules' | 'work';

export interface NewJob<T = unknown> {
  /** A job with the same key exists at most once across all nodes, queued or active. */
  readonly key: string;
  readonly data: T;
  readonly group?: string;
  /** Higher ones are taken first. */
  readonly priority?: number;
  /** Seconds. */
  readonly startAfter?: number;
  /** Added at most once a second, over all nodes. */
  readonly isThrottled?: boolean;
}

export interface TakenJob<T> {
  readonly data: T;
  /** The job is kept for this node while the work runs, and is finished afterwards, even if the work fails. */
  run(work: () => Promise<unknown>): Promise<void>;
}

export interface Jobs {
  add(queue: QueueName, jobs: readonly NewJob[]): Promise<void>;
  take<T>(queue: QueueName, max: number, exceptGroups?: readonly string[]): Promise<TakenJob<T>[]>;
  /** Failed attempts to finish a job are repeated without a pause from now on. */
  hurry(): void;
  close(): Promise<void>;
}

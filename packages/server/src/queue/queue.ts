// What every queue gets and does. A queue decides which worker works on what, not what is done.
import type { Chore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import type { FulfilmentStore, LeasedBatch } from '../domain/task/fulfilment-ports.ts';
import type { PollIntervals } from './poll-intervals.ts';

export interface QueueParts {
  readonly store: FulfilmentStore;
  readonly targets: ReadonlyMap<string, TargetConfig>;
  readonly startDue: () => Promise<{ readonly started: number; readonly more: boolean }>;
  /** Returns what was wrong with the target as a whole, if anything. */
  readonly runBatch: (
    batch: LeasedBatch,
    target: TargetConfig | undefined,
  ) => Promise<{ readonly down: { readonly code: string; readonly message: string } | undefined }>;
  readonly chores: readonly Chore[];
  /** False while this node lacks something that others have: on many nodes, it leaves all work to them. */
  readonly mayWork?: () => Promise<boolean>;
  readonly probeDelay: (failures: number) => number;
  readonly clock: Clock;
  readonly worker: string;
  readonly report: QueueReport;
  readonly intervals?: PollIntervals;
  /** Milliseconds. If a worker is killed, its batch waits for at most this long. */
  readonly lease?: number;
}

export interface QueueReport {
  trouble(what: string, error: unknown): void;
  targetDown(target: string, code: string, detail: string): void;
  targetBack(target: string): void;
}

export interface Queue {
  /** Runs until told to stop, or until there has been no work for this long. */
  run(idleMs: number): Promise<void>;
  /** Begins nothing new; finishes work in progress. */
  stop(): void;
}

/** The message is our own text and may be logged. */
export class QueueIncomplete extends Error {
  override readonly name = 'QueueIncomplete';
  constructor(schema: string, cause: unknown) {
    super(
      `the schema ${schema} of the job queue is incomplete. ` +
        `Run: DROP SCHEMA "${schema}" CASCADE. It is created again, and no work is lost`,
      { cause },
    );
  }
}

// Metrics of the store, for operators. Counted in bounded time.

export interface StoreMetrics {
  /** Pending and in progress. */
  readonly openRequests: ReadonlyMap<string, number>;
  readonly createdTotal: number;
  /** Started, completed, cancelled, found nowhere. */
  readonly requestTotals: ReadonlyMap<string, number>;
  readonly openTasks: readonly {
    readonly target: string;
    readonly state: string;
    readonly count: number;
  }[];
  /** For each target: tasks done, how many of them found nothing, and rows erased. */
  readonly targetTotals: readonly {
    readonly target: string;
    readonly what: 'tasks' | 'not_found' | 'rows';
    readonly count: number;
  }[];
  readonly attention: ReadonlyMap<string, number>;
  /** For each kind, when its newest one was raised. Alarms are forgotten, so their number would not only grow. */
  readonly alarms: ReadonlyMap<string, number>;
  readonly undeliveredAlarms: number;
  /** Null if no request is open. */
  readonly oldestReceivedTime: number | null;
  readonly nearestStatutoryDeadline: number | null;
  readonly targetsDown: readonly string[];
  /** Scopes of pauses. */
  readonly paused: readonly string[];
  /** Null if the database server manages its own log. */
  readonly walBytes: number | null;
  readonly databaseBytes: number;
}

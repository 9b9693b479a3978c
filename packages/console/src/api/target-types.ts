// What the operator API answers about targets.
import type { Alarm, Pause } from './overview-types.ts';
import type { Iso } from './request-types.ts';

export type TargetState = 'up' | 'down' | 'refused' | 'paused' | 'manual' | 'removed';

export interface TargetLine {
  readonly name: string;
  readonly etag: string;
  readonly connector: string;
  readonly mode: 'erase' | 'preview';
  readonly tenancy: string | null;
  readonly controllers: readonly string[] | null;
  readonly hours: string | null;
  readonly digest: string | null;
  readonly state: TargetState;
  readonly open_now: boolean;
  readonly pause: Pause | null;
  readonly trouble: {
    readonly code: string;
    readonly detail: string;
    readonly failures: number;
    readonly since: Iso;
    readonly next_try: Iso;
  } | null;
  readonly backlog: {
    readonly waiting: number;
    readonly running: number;
    readonly failed: number;
    readonly held: number;
    readonly capped: boolean;
  };
  readonly today: {
    readonly rows: number;
    readonly max_rows_per_day: number | null;
    readonly tasks: number;
    readonly not_found: number;
  };
}

export interface ThroughputDay {
  readonly day: string;
  readonly tasks: number;
  readonly rows: number;
  readonly not_found: number;
  readonly deferred: number;
}

export interface TargetPage extends TargetLine {
  readonly throughput: readonly ThroughputDay[];
  readonly errors: readonly Alarm[];
  readonly limits: {
    readonly max_rows_per_subject: number;
    readonly batch_size: number;
    readonly concurrency: number;
    readonly when_unmatched: string;
  };
  readonly last_check: Check | null;
}

export interface CheckLine {
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  readonly subject: string;
  readonly message: string;
}

export interface Check {
  readonly target: string;
  readonly checked_time: Iso;
  readonly ok: boolean;
  readonly lines: readonly CheckLine[];
  readonly plan: PlanGraph | null;
}

export type PlanEffect = 'deleted' | 'overwritten' | 'retained' | 'removed_by_cascade' | 'stays';

export interface PlanNode {
  readonly table: string;
  readonly effect: PlanEffect;
  readonly columns: readonly string[];
  readonly reason: string | null;
  readonly match: readonly {
    readonly type: string;
    readonly column: string;
    readonly path?: string;
  }[];
  readonly where: Readonly<Record<string, unknown>> | null;
  readonly tenant_column: string | null;
  readonly tenant_tables: readonly string[];
  readonly shared: 'hold' | 'erase' | 'keep' | null;
  readonly when_unmatched: 'hold' | 'skip' | null;
}

export interface PlanEdge {
  readonly from: string;
  readonly to: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly kind: 'reference' | 'emptied';
}

export interface PlanGraph {
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
}

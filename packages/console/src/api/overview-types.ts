// What the operator API answers about the installation as a whole.
import type { Iso, RequestName, RequestStatus, TaskState } from './request-types.ts';

export interface Pause {
  readonly target: string | null;
  readonly paused_time: Iso;
  readonly paused_by: string;
}

export type WhatToDo =
  | 'release'
  | 'confirm'
  | 'identify'
  | 'target_down'
  | 'retry'
  | 'paused'
  | 'wait'
  | 'legal_hold'
  | 'look';

export interface AttentionItem extends RequestName {
  readonly task: number | null;
  readonly deadline: Iso;
  readonly target: string | null;
  readonly state: TaskState | 'pending';
  readonly reason: string;
  readonly detail: string;
  readonly what: WhatToDo;
  readonly etag: string | null;
}

export interface AttentionGroup {
  readonly what: WhatToDo;
  readonly title: string;
  readonly count: number;
  readonly capped: boolean;
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly targets: readonly string[];
  readonly items: readonly AttentionItem[];
}

export interface NearDeadline extends RequestName {
  readonly request_status: RequestStatus;
  readonly regulation: string;
  readonly received_time: Iso;
  readonly expected_completion_time: Iso;
  readonly statutory_deadline: Iso;
  readonly nearest: 'expected' | 'statutory';
  readonly days_left: number;
}

export interface DeadlineDay {
  readonly days_left: number;
  readonly count: number;
  readonly capped: boolean;
  /** Requests whose statutory deadline ends on this day. Only requests with a near deadline are counted. */
  readonly by_law: number;
  readonly by_law_capped: boolean;
}

export interface FirstStep {
  readonly step: 'client' | 'target' | 'request';
  readonly title: string;
  readonly done: boolean;
  readonly how: string;
}

export interface FirstSteps {
  readonly steps: readonly FirstStep[];
  /** A controller that has a client. */
  readonly controller_id: string | null;
  /** The newest request. */
  readonly request: (RequestName & { readonly request_status: RequestStatus }) | null;
}

export interface Alarm {
  readonly alarm: number;
  readonly kind: string;
  readonly percent: number | null;
  readonly controller_id: string | null;
  readonly subject_request_id: string | null;
  readonly target: string | null;
  readonly deadline: Iso | null;
  readonly count: number;
  readonly message: string;
  readonly raised_time: Iso;
  readonly delivered_time: Iso | 'given up' | null;
}

/** The certificate that answers are signed with. */
export interface ProcessorCertificate {
  readonly subject: string;
  readonly state: 'valid' | 'not_yet' | 'expiring' | 'expired';
  readonly not_after: Iso;
  readonly days_left: number;
}

export interface Overview {
  readonly now: Iso;
  readonly paused: readonly Pause[];
  readonly restore_open: boolean;
  readonly sandbox: boolean;
  readonly certificate: ProcessorCertificate | null;
  readonly attention: {
    readonly total: number;
    readonly capped: boolean;
    readonly groups: readonly AttentionGroup[];
  };
  readonly deadlines: {
    readonly nearest: readonly NearDeadline[];
    readonly days: readonly DeadlineDay[];
  };
  readonly requests: Readonly<Record<RequestStatus, number>> & {
    readonly capped: readonly RequestStatus[];
  };
  readonly targets: {
    readonly total: number;
    readonly up: number;
    readonly down: number;
    readonly refused: number;
    readonly paused: number;
    readonly manual: number;
  };
  readonly alarms: readonly Alarm[];
  readonly first_steps: FirstSteps | null;
}

export interface StatisticsDay {
  readonly day: string;
  readonly arrived: number;
  readonly started: number;
  readonly completed: number;
  readonly cancelled: number;
  readonly completion_hours: { readonly median: number; readonly p90: number } | null;
}

export interface Statistics {
  readonly from: string;
  readonly until: string;
  readonly days: readonly StatisticsDay[];
  readonly up_to: Iso | null;
}

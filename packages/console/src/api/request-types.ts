// What the operator API answers about requests and their tasks.
export type Iso = string;
export type RequestStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled';
export type TaskState = 'waiting' | 'running' | 'erased' | 'failed' | 'held';

/** Matches a complete request id. */
export const REQUEST_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const SOME_ID = '00000000-0000-4000-8000-000000000000';

/**
 * Whether the text is a request id or the beginning of one, from the eight characters that lists show. Digits alone
 * do not count: they may be a customer's number.
 */
export function isBeginningOfId(text: string): boolean {
  return (
    text.length >= 8 &&
    REQUEST_ID.test(`${text}${SOME_ID.slice(text.length)}`) &&
    !/^\d+$/.test(text)
  );
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
  /** For lists without further pages: there are more items than the server lists. */
  readonly capped?: boolean;
}

export interface RequestName {
  readonly controller_id: string;
  readonly subject_request_id: string;
}

export interface RequestLine extends RequestName {
  readonly request_status: RequestStatus;
  readonly regulation: string;
  readonly submitted_time: string;
  readonly received_time: Iso;
  readonly expected_completion_time: Iso;
  readonly statutory_deadline: Iso;
  readonly cancelled_time: Iso | null;
  readonly completed_time: Iso | null;
  readonly extended_until: Iso | null;
  readonly identities: number;
  readonly outcome: string;
  readonly open_tasks: {
    readonly held: number;
    readonly failed: number;
    readonly waiting: number;
    readonly running: number;
  } | null;
}

export interface MaskedIdentity {
  readonly identity: number;
  readonly identity_type: string;
  readonly masked: string;
  readonly source: string | null;
}

export interface TimelineStep {
  readonly step:
    | 'received'
    | 'window_ends'
    | 'started'
    | 'target'
    | 'completed'
    | 'cancelled'
    | 'receipt'
    | 'shredded';
  readonly time: Iso | null;
  readonly done: boolean;
  readonly words: string;
  readonly target?: string;
}

type RequestAction =
  | 'start'
  | 'cancel'
  | 'extend'
  | 'hold'
  | 'retry'
  | 'identities'
  | 'preview'
  | 'receipt'
  | 'reveal';

export interface LegalHold {
  readonly hold: number;
  readonly controller_id: string;
  /** Null: it is on a person. */
  readonly subject_request_id: string | null;
  readonly reason: string;
  readonly placed_time: Iso;
  readonly placed_by: string;
  readonly until: Iso | null;
  readonly ended_time: Iso | null;
  readonly ended_by: string | null;
}

export interface PlacedHold extends LegalHold {
  readonly requests: readonly string[];
  readonly too_late: readonly {
    readonly subject_request_id: string;
    readonly target: string;
    readonly erased_time: Iso;
    readonly is_committing: boolean;
  }[];
}

export interface RequestPage extends RequestLine {
  readonly etag: string;
  readonly created_by: string;
  readonly latest_extension: Iso;
  readonly plan: readonly { target: string; connector: string; digest: string }[] | null;
  /** Those in force. */
  readonly legal_holds: readonly LegalHold[];
  readonly identity_list: readonly MaskedIdentity[];
  readonly timeline: readonly TimelineStep[];
  readonly tasks: readonly TaskCard[];
  readonly receipts: readonly { readonly number: number; readonly created_time: Iso }[];
  readonly receipt_refused: string | null;
  readonly actions: readonly RequestAction[];
}

export interface Evidence {
  readonly action: string;
  readonly connector: string;
  readonly configuration?: string;
  readonly verified: string;
  readonly attempts: number;
  readonly started_time: Iso;
  readonly finished_time: Iso;
  readonly by?: string;
  readonly note?: string;
  readonly legal_basis?: string;
}

export interface TaskCard extends RequestName {
  readonly task: number;
  readonly etag: string;
  readonly target: string;
  readonly connector: string;
  readonly run: number;
  readonly state: TaskState;
  readonly phase: 'resolve' | 'erase';
  readonly attempts: number;
  readonly next_try: Iso | null;
  /** Targets that must be done, or have looked up, before. */
  readonly waits_for: readonly string[];
  readonly reason: string | null;
  readonly detail: string | null;
  readonly what_to_do: string | null;
  readonly previewed_rows: number | null;
  readonly intent: Readonly<Record<string, number>> | null;
  readonly changed_time: Iso;
  readonly deadline: Iso;
  readonly evidence: Evidence | null;
  readonly words: readonly string[];
  readonly instructions: string | null;
  readonly actions: readonly ('release' | 'retain' | 'confirm')[];
}

type RowsByTable = Readonly<Record<string, number>>;

export interface PreviewedTarget {
  readonly target: string;
  readonly connector: string;
  readonly outcome:
    | 'would_erase'
    | 'not_found'
    | 'would_hold'
    | 'would_wait'
    | 'would_skip'
    | 'failed';
  readonly reason: string | null;
  readonly detail: string | null;
  readonly rows: RowsByTable;
  readonly retained: RowsByTable;
  readonly detached: RowsByTable;
  readonly shared_kept: RowsByTable;
}

export interface Preview {
  readonly controller_id: string;
  readonly subject_request_id: string | null;
  readonly identities_looked_up: number;
  readonly waits_for: readonly string[];
  readonly starts_tomorrow: boolean;
  readonly targets: readonly PreviewedTarget[];
}

interface Size {
  readonly tasks: number;
  readonly people: number;
  readonly rows: number;
  /** Tasks whose rows are not counted: the limits of their target apply. */
  readonly uncounted: number;
}

export interface ReleaseSize extends Size {
  readonly groups: readonly (Size & {
    readonly controller_id: string;
    readonly reason: string | null;
  })[];
}

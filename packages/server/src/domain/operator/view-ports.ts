// The pages that operators look at, read in bounded time however many requests there are.
import type { RequestStatus } from '@unwrite/protocol';
import type { Alarm, AlarmKind } from '../alarm/alarm.ts';
import type { AuditRow } from '../audit/audit-row.ts';
import type { Counted } from '../limit/daily-count.ts';
import type { RequestKey, RequestSummary } from '../request/request.ts';
import type { AttentionQuery } from '../task/operator-ports.ts';
import type { AttentionLine, TaskState, TaskSummary } from '../task/task.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { Controller } from '../tenant/tenants.ts';

/** `next`: where the next page begins; null at the end. A page may be short or empty and still have a next one. */
export interface ViewPage<Item, Place> {
  readonly items: readonly Item[];
  readonly next: Place | null;
}

/** Position behind an item: its number, and its time if the list is ordered by time. */
export interface RequestPlace {
  readonly time: number | null;
  readonly requestNo: number;
}

export interface RequestPageQuery {
  readonly controllerId?: ControllerId;
  readonly status?: RequestStatus;
  readonly regulation?: string;
  readonly receivedFrom?: number;
  /** Exclusive. */
  readonly receivedUntil?: number;
  readonly after?: RequestPlace;
  readonly limit: number;
}

export interface TaskPlace {
  readonly requestNo: number;
  readonly taskNo: number;
}

export interface TaskPageQuery {
  readonly controllerId?: ControllerId;
  readonly target?: string;
  /** Left out: all of these states. */
  readonly state?: Exclude<TaskState, 'erased'>;
  readonly reason?: string;
  readonly after?: TaskPlace;
  readonly limit: number;
}

export interface ListedTask extends TaskSummary {
  readonly requestNo: number;
}

export interface AttentionItem extends AttentionLine {
  readonly taskNo: number | null;
  /** When the task last changed. */
  readonly changedTime: number | null;
  readonly attempts: number | null;
}

export interface AuditPageQuery {
  readonly controllerId?: ControllerId;
  readonly actor?: string;
  readonly action?: string;
  /** Only actions of operators. */
  readonly byOperators?: boolean;
  readonly since?: number;
  /** Exclusive. */
  readonly until?: number;
  readonly after?: number;
  readonly limit: number;
}

export interface AlarmPageQuery {
  readonly kind?: AlarmKind;
  readonly target?: string;
  readonly raisedAfter?: number;
  /** Only alarms that are not about a single request. */
  readonly notAboutOneRequest?: boolean;
  readonly after?: number;
  readonly limit: number;
}

export interface ListedController extends Controller {
  readonly clients: number;
}

/** A count that stops at a limit. */
export interface Capped {
  readonly count: number;
  readonly capped: boolean;
}

export interface TargetBacklog {
  readonly target: string;
  readonly state: TaskState;
  readonly count: number;
  readonly capped: boolean;
}

export interface CountedOnDay {
  readonly day: number;
  readonly what: Counted;
  readonly count: number;
}

export interface ArrivedOnDay {
  readonly day: number;
  readonly count: number;
}

export interface CompletionTimes {
  readonly day: number;
  /** Index of a duration class, see domain/statistics/completion-times.ts. */
  readonly duration: number;
  readonly count: number;
}

export interface IssuedReceipt {
  readonly receiptNo: number;
  readonly createdTime: number;
}

export interface RequestTimes {
  readonly startedTime: number | null;
  readonly shreddedTime: number | null;
  readonly receipts: readonly IssuedReceipt[];
  /** Why no receipt is signed. */
  readonly refused: string | null;
}

/** Position of a listener in the changes; opaque to the listener. */
export interface ChangesSeen {
  readonly auditNo: number;
  readonly arrivalNo: number;
  readonly alarmNo: number;
  /** The targets that are down, as one text to compare. */
  readonly circuits: string;
}

export interface Changes {
  readonly seen: ChangesSeen;
  /** Actions of the audit log, each with the request that it is about. */
  readonly rows: readonly Pick<AuditRow, 'action' | 'controllerId' | 'subjectRequestId'>[];
  /** There are more changes than listed. */
  readonly hasMore: boolean;
  readonly alarms: boolean;
  readonly targets: boolean;
}

export interface NearDeadlines {
  readonly requests: readonly RequestSummary[];
  /** There are more open requests than these. */
  readonly capped: boolean;
}

export interface OperatorViews {
  /** Newest first: by arrival, or by end if filtered by a final status. */
  requests(query: RequestPageQuery): Promise<ViewPage<RequestSummary, RequestPlace>>;
  /** Oldest request first. */
  tasks(query: TaskPageQuery): Promise<ViewPage<ListedTask, TaskPlace>>;
  /** For each request, how many open tasks are in each state. */
  openTasks(requestNos: readonly number[]): Promise<Map<number, Map<TaskState, number>>>;
  timesOf(request: RequestKey): Promise<RequestTimes>;
  /** At most `limit` items of each kind of trouble. */
  attention(
    query: AttentionQuery,
  ): Promise<{ readonly items: readonly AttentionItem[]; readonly capped: boolean }>;
  openRequests(): Promise<Readonly<Record<'pending' | 'in_progress', Capped>>>;
  /** Sums over all days, by what is counted. */
  totals(whose?: string): Promise<ReadonlyMap<Counted, number>>;
  /** The requests that may have the nearest deadlines. */
  nearDeadlines(): Promise<NearDeadlines>;
  /** Open requests received in each of these spans. */
  openBySpan(
    spans: readonly { readonly from: number; readonly until: number }[],
  ): Promise<Capped[]>;
  backlogs(): Promise<TargetBacklog[]>;
  dailyCounts(
    what: readonly Counted[],
    days: { readonly from: number; readonly until: number },
    whose?: string,
  ): Promise<CountedOnDay[]>;
  arrivals(
    days: { readonly from: number; readonly until: number },
    controllerId?: ControllerId,
  ): Promise<ArrivedOnDay[]>;
  completionTimes(days: {
    readonly from: number;
    readonly until: number;
  }): Promise<CompletionTimes[]>;
  /** Null before the first count. */
  countedUntil(): Promise<number | null>;
  audit(query: AuditPageQuery): Promise<ViewPage<AuditRow, number>>;
  alarms(query: AlarmPageQuery): Promise<ViewPage<Alarm, number>>;
  controllers(query: {
    readonly after?: string;
    readonly limit: number;
  }): Promise<ViewPage<ListedController, string>>;
  /** Changes since `seen`; without it, only the current position. */
  changes(seen?: ChangesSeen): Promise<Changes>;
}

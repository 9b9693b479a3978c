// The pages that operators look at, read in bounded time however many requests there are.
import type { Regulation, RequestStatus } from '@unwrite/protocol';
import type { Alarm, AlarmKind } from '../alarm/alarm.ts';
import type { AuditRow } from '../audit/audit-row.ts';
import type { Counted } from '../limit/daily-count.ts';
import type { RequestKey, RequestSummary } from '../request/request.ts';
import type { AttentionQuery } from '../task/operator-ports.ts';
import type { AttentionLine, TaskState, TaskSummary } from '../task/task.ts';
import type { ControllerId } from '../tenant/controller-id.ts';
import type { Controller } from '../tenant/tenants.ts';

/** `next`: where the next page begins; null: there is none. A page may be short, or empty, and still have a next one. */
export interface ViewPage<Item, Place> {
  readonly items: readonly Item[];
  readonly next: Place | null;
}

/** Behind the item with these: its number, and the time by which the list is ordered, where it is by one. */
export interface RequestPlace {
  readonly time: number | null;
  readonly requestNo: number;
}

export interface RequestPageQuery {
  readonly controllerId?: ControllerId;
  readonly status?: RequestStatus;
  readonly regulation?: string;
  readonly receivedFrom?: number;
  /** Not included. */
  readonly receivedUntil?: number;
  readonly after?: RequestPlace;
  readonly limit: number;
}

export interface ListedRequest extends RequestSummary {
  readonly requestNo: number;
}

export interface TaskPlace {
  readonly requestNo: number;
  readonly taskNo: number;
}

export interface TaskPageQuery {
  readonly controllerId?: ControllerId;
  readonly target?: string;
  /** Left out: those that are not erased. */
  readonly state?: TaskState;
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
  /** What the time that the law gives counts from; null for a run that was asked for after the completion. */
  readonly law: { readonly regulation: Regulation; readonly submittedTime: string } | null;
}

export interface AuditPageQuery {
  readonly controllerId?: ControllerId;
  readonly actor?: string;
  readonly action?: string;
  /** Only what operators did. */
  readonly byOperators?: boolean;
  readonly since?: number;
  /** Not included. */
  readonly until?: number;
  readonly after?: number;
  readonly limit: number;
}

export interface AlarmPageQuery {
  readonly kind?: AlarmKind;
  readonly target?: string;
  readonly raisedAfter?: number;
  /** Only those that are about no single request. */
  readonly besideRequests?: boolean;
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
  /** A class of durations: domain/statistics/completion-times.ts. */
  readonly duration: number;
  readonly count: number;
}

export interface IssuedReceipt {
  readonly receiptNo: number;
  readonly createdTime: number;
}

export interface RequestMoments {
  readonly startedTime: number | null;
  readonly shreddedTime: number | null;
  readonly receipts: readonly IssuedReceipt[];
  /** Why no receipt is signed. */
  readonly refused: string | null;
}

/** How far a listener has heard. Opaque to it. */
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
  /** More than are listed. */
  readonly isMore: boolean;
  readonly alarms: boolean;
  readonly targets: boolean;
}

export interface NearDeadlines {
  readonly requests: readonly RequestSummary[];
  /** There are more open requests than these. */
  readonly capped: boolean;
}

export interface OperatorViews {
  /** Newest first: as they came, or with a final status, as they ended. */
  requests(query: RequestPageQuery): Promise<ViewPage<ListedRequest, RequestPlace>>;
  /** Oldest request first. */
  tasks(query: TaskPageQuery): Promise<ViewPage<ListedTask, TaskPlace>>;
  /** By request, how many open tasks are in which state. */
  openTasks(requestNos: readonly number[]): Promise<Map<number, Map<TaskState, number>>>;
  momentsOf(request: RequestKey): Promise<RequestMoments>;
  /** At most `limit` items of each kind of trouble. */
  attention(
    query: AttentionQuery,
  ): Promise<{ readonly items: readonly AttentionItem[]; readonly capped: boolean }>;
  openRequests(): Promise<Readonly<Record<'pending' | 'in_progress', Capped>>>;
  /** Sums over all days, by what is counted. */
  totals(whose?: string): Promise<ReadonlyMap<Counted, number>>;
  /** Those whose deadlines may be the nearest. */
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
  /** Null: nothing was counted yet. */
  countedUntil(): Promise<number | null>;
  audit(query: AuditPageQuery): Promise<ViewPage<AuditRow, number>>;
  alarms(query: AlarmPageQuery): Promise<ViewPage<Alarm, number>>;
  controllers(query: {
    readonly after?: string;
    readonly limit: number;
  }): Promise<ViewPage<ListedController, string>>;
  /** Since then; without, only how far it is now. */
  changes(seen?: ChangesSeen): Promise<Changes>;
}

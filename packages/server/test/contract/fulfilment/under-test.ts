// What the cases of the fulfilment suite need of a store, and the requests and plans they put into it.
import { randomUUID } from 'node:crypto';
import type { RequestStatus, SubjectRequestId } from '@unwrite/protocol';
import type { LegalHoldEnds, LegalHoldStore } from '../../../src/domain/legal-hold/legal-hold.ts';
import type {
  ForgettingOperator,
  ForgettingStore,
} from '../../../src/domain/request/forgetting-ports.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { ReadLoggedStatus } from '../../../src/domain/request/logged-status.ts';
import type { NewRequest, RequestKey } from '../../../src/domain/request/request.ts';
import type { RequestStore } from '../../../src/domain/request/request-ports.ts';
import type { RestoreStore } from '../../../src/domain/store/restore-ports.ts';
import type { HoldReason } from '../../../src/domain/target/connector.ts';
import type {
  DueRequest,
  FulfilmentStore,
  IntendedRows,
  LeasedBatch,
  NewIntent,
  RecordedTransaction,
  SealedBytes,
  StartCommand,
} from '../../../src/domain/task/fulfilment-ports.ts';
import type { TaskCatalogue, TaskOperator } from '../../../src/domain/task/operator-ports.ts';
import type { PauseOperator } from '../../../src/domain/task/pause-ports.ts';
import type {
  Evidence,
  PlannedTask,
  TaskOutcome,
  TaskPhase,
  TaskState,
  TaskSummary,
} from '../../../src/domain/task/task.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';

export interface AuditLine {
  readonly action: string;
  readonly actor: string;
  readonly detail: string | null;
}

/** What a task is made to look like, whether or not it could come to look so by itself. */
export interface ForcedTask extends TaskLook {
  readonly taskNo: number;
}

export interface TaskLook {
  readonly state: TaskState;
  readonly phase: TaskPhase;
  readonly dueTime: number | null;
  readonly changedTime: number;
  /** undefined: it is in no batch. */
  readonly leaseUntil: number | undefined;
}

export interface ForcedRequest {
  readonly key: RequestKey;
  readonly status: RequestStatus;
  readonly receivedTime: number;
}

export interface FulfilmentUnderTest {
  readonly requests: RequestStore;
  readonly store: FulfilmentStore;
  /** The same store, as a second worker sees it. */
  readonly second: FulfilmentStore;
  /** What a worker that begins does with leases that it finds: it is alone, or others are alive. */
  readonly leasesOfTheDead: 'end at once' | 'end by themselves';
  readonly tasks: TaskCatalogue;
  readonly operator: TaskOperator;
  readonly forgetting: ForgettingStore;
  readonly forgettingOperator: ForgettingOperator;
  readonly legalHolds: LegalHoldStore;
  readonly legalHoldEnds: LegalHoldEnds;
  readonly pauses: PauseOperator;
  readonly restores: RestoreStore;
  /** The same, of somebody who is slow: before each of its transactions, this happens. */
  slowRestores(meanwhile: () => Promise<void>): RestoreStore;
  readonly loggedStatus: ReadLoggedStatus;
  /** As somebody with write access would. */
  confirmBySql(time: number, by: string): Promise<void>;
  sealIdentities(key: RequestKey, identities: readonly Identity[]): SealedBytes;
  openIdentities(key: RequestKey, sealed: SealedBytes): Identity[];
  openVia(key: RequestKey, sealed: SealedBytes): readonly string[];
  sealKeys(key: RequestKey, target: string, rows: IntendedRows): SealedBytes;
  openKeys(key: RequestKey, target: string, sealed: SealedBytes): IntendedRows;
  /** Requests of the same store, written by another thread or process. */
  requestsBeside(): Promise<{ readonly requests: RequestStore; close(): Promise<void> }>;
  /** Without its creation, oldest first. */
  audit(key: RequestKey): Promise<AuditLine[]>;
  forceTasks(tasks: readonly ForcedTask[]): Promise<void>;
  /** What a version before may have stored; in digits. */
  forceRows(taskNo: number, previewedRows: string): Promise<void>;
  forceRequests(requests: readonly ForcedRequest[]): Promise<void>;
  forgetPlan(key: RequestKey): Promise<void>;
  forgetTasks(key: RequestKey): Promise<void>;
  /** As somebody does who can write to the database; `@name` is a table. */
  tamper(statement: string): Promise<void>;
  /** All bytes that the store has on disk. */
  bytes(): Promise<Uint8Array[]>;
  close(): Promise<void>;
}

export interface VirtualClock {
  now: number;
}

/** A fresh store that knows these controllers, whose requests are received when the clock says. */
export type OpenFulfilmentStore = (
  controllers: readonly ControllerId[],
  clock: VirtualClock,
) => Promise<FulfilmentUnderTest>;

export const ACME = 'acme' as ControllerId;
export const GLOBEX = 'globex' as ControllerId;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const START = Date.parse('2026-11-15T02:00:00Z');

export function aRequest(changes: Partial<NewRequest> = {}): NewRequest {
  return {
    controllerId: ACME,
    subjectRequestId: randomUUID() as SubjectRequestId,
    regulation: 'gdpr',
    submittedTime: '2026-11-15T02:00:00Z',
    identities: [new Identity('email', 'jane@example.com')],
    actor: 'client:one',
    ...changes,
  };
}

export function planned(target: string, phase: TaskPhase = 'erase'): PlannedTask {
  return { target, connector: 'sqlite', phase, held: null };
}

export function plannedHeld(target: string, reason: HoldReason = 'manual'): PlannedTask {
  const connector = reason === 'manual' ? 'manual' : 'sqlite';
  return { target, connector, phase: 'erase', held: { reason, detail: 'somebody has to' } };
}

export function commandFor(
  request: DueRequest,
  tasks: readonly PlannedTask[],
  digests: readonly Uint8Array[] = [],
): StartCommand {
  const targets = tasks.map(({ target, connector }) => ({ target, connector, digest: 'abc' }));
  const planId = targets.map(({ target }) => target).join('+');
  return { request, plan: { planId, targets }, tasks, digests };
}

export const BY = { actor: 'operator:olga', now: START + HOUR } as const;

export function anEvidence(action: Evidence['action'] = 'erased'): Evidence {
  return {
    action,
    connector: 'sqlite',
    tables: action === 'not_found' ? {} : { customers: { action: 'delete', rows: 1 } },
    verified: 'requeried',
    attempts: 1,
    started_time: '2026-11-15T02:00:00.000Z',
    finished_time: '2026-11-15T02:00:01.000Z',
  };
}

export function erasedOutcome(taskNo: number, action?: Evidence['action']): TaskOutcome {
  return { taskNo, outcome: 'erased', evidence: anEvidence(action) };
}

export function heldOutcome(
  taskNo: number,
  reason: HoldReason,
  previewedRows: number | null,
): TaskOutcome {
  return { taskNo, outcome: 'held', reason, detail: 'look at it', previewedRows };
}

/** The verbs that most cases are told in. */
export function createScene(under: FulfilmentUnderTest, clock: VirtualClock) {
  const { store, requests, tasks } = under;

  async function create(changes: Partial<NewRequest> = {}): Promise<NewRequest> {
    const request = aRequest(changes);
    await requests.create(request);
    return request;
  }

  async function due(key: RequestKey): Promise<DueRequest> {
    const all = await store.dueRequests(clock.now, 10_000);
    const found = all.find(({ subjectRequestId }) => subjectRequestId === key.subjectRequestId);
    if (found === undefined) throw new Error('the request is not due');
    return found;
  }

  async function start(
    key: RequestKey,
    plannedTasks: readonly PlannedTask[],
    digests: readonly Uint8Array[] = [],
  ): Promise<number> {
    const command = commandFor(await due(key), plannedTasks, digests);
    return await store.startRequests([command], clock.now);
  }

  async function tasksOf({ subjectRequestId }: RequestKey): Promise<TaskSummary[]> {
    return tasks.tasks({ subjectRequestId, limit: 100 });
  }

  /** The newest task of the request at that target. */
  async function task(key: RequestKey, target: string): Promise<TaskSummary> {
    const found = (await tasksOf(key)).findLast((one) => one.target === target);
    if (found === undefined) throw new Error(`there is no task at ${target}`);
    return found;
  }

  async function lease(target: string, max = 100, by = store): Promise<LeasedBatch> {
    const { now } = clock;
    const leaseUntil = now + 30_000;
    const batch = await by.leaseBatch({ target, max, worker: 'w', now, leaseUntil });
    if (batch === undefined) throw new Error(`there is nothing to do at ${target}`);
    return batch;
  }

  /** Everything that is due at the target comes out so. */
  async function work(target: string, outcomeOf: (taskNo: number) => TaskOutcome): Promise<void> {
    const batch = await lease(target);
    const outcomes = batch.tasks.map(({ taskNo }) => outcomeOf(taskNo));
    await store.recordOutcomes(batch, outcomes, [], clock.now);
  }

  async function started(
    plannedTasks: readonly PlannedTask[],
    changes: Partial<NewRequest> = {},
  ): Promise<NewRequest> {
    const request = await create(changes);
    await start(request, plannedTasks);
    return request;
  }

  /** Many, in a few steps. */
  async function startedMany(
    count: number,
    plannedTasks: readonly PlannedTask[],
  ): Promise<NewRequest[]> {
    const made = await Promise.all(Array.from({ length: count }, () => create()));
    const ids = new Set(made.map(({ subjectRequestId }) => subjectRequestId));
    const dueNow = await store.dueRequests(clock.now, 10_000);
    const commands = dueNow
      .filter(({ subjectRequestId }) => ids.has(subjectRequestId))
      .map((request) => commandFor(request, plannedTasks));
    await store.startRequests(commands, clock.now);
    return made;
  }

  const statusOf = async (key: RequestKey) => (await requests.read(key))?.status;

  return { create, due, start, started, startedMany, tasksOf, task, lease, work, statusOf };
}

export type Scene = ReturnType<typeof createScene>;

/** The rows of an intent, where a test has nothing to say about the rest. */
export function intendedRows(keys: IntendedRows['keys'] = {}): IntendedRows {
  const said = { taskNo: 1, plan: 'place-plan', counts: {}, retained: {} };
  return { keys, layout: undefined, said };
}

/** An intent that a test has nothing to say about but its rows. */
export function anIntent(
  taskNo: number,
  keys: SealedBytes,
  changes: Partial<NewIntent> = {},
): NewIntent {
  return {
    taskNo,
    state: 'recorded',
    plan: 'place-plan',
    counts: { customers: 1 },
    retained: {},
    keys,
    ...changes,
  };
}

/** A transaction at a target that has nothing to record but what is given. */
export function aTransaction(changes: Partial<RecordedTransaction> = {}): RecordedTransaction {
  const nothing = { name: null, tables: new Map(), intents: [], reservations: [] };
  return { ...nothing, maxRowsPerDay: null, ...changes };
}

// What was seen of one batch at one of several targets.
import type { TaskPhase, TaskSummary } from '../../../src/domain/task/task.ts';
import type { Snapshot } from '../declared-world.ts';
import type { GivenIdentity } from '../generated-case.ts';
import type { Fault } from './several-case.ts';

/** One request in a batch. */
export interface RunTask {
  readonly request: number;
  readonly taskNo: number;
  /** All that the product knows of the person, looked up or not. */
  readonly known: readonly GivenIdentity[];
  /** Targets whose lookups have found some of it. */
  readonly sources: ReadonlySet<string>;
}

export interface ErasedSpan {
  readonly from: Snapshot;
  readonly to: Snapshot;
  /** Of the tasks that were to be erased. */
  readonly taskNos: readonly number[];
}

type Tasks = readonly (readonly TaskSummary[])[];

export interface RunRecord {
  /** As the case calls it. */
  readonly target: string;
  readonly phase: TaskPhase;
  readonly fault: Fault;
  readonly tasks: readonly RunTask[];
  readonly before: Snapshot;
  /** Of each erasing transaction. */
  readonly spans: readonly ErasedSpan[];
  readonly after: Snapshot;
  /** By request. */
  readonly tasksBefore: Tasks;
  readonly tasksAfter: Tasks;
  readonly given: readonly (readonly GivenIdentity[])[];
  /** Numbers of tasks that a person has released so far. */
  readonly released: ReadonlySet<number>;
}

// One task whose looked-up identities are being proven, and what that means for it.
import type { Identity } from '../../domain/request/identity.ts';
import type { Failed, Held, Subject } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { nameOf, type OpenedTask } from '../open-subjects.ts';

export interface ProvedTask {
  readonly opened: OpenedTask;
  /** By the target that looked them up. */
  readonly bySource: ReadonlyMap<string, readonly Identity[]>;
  /** By name: given, or proven so far. */
  readonly proven: Map<string, Identity>;
  /** Names of those whose rows were erased for the same request. */
  readonly trusted: Set<string>;
  /** An earlier attempt of this task has erased: what its identities find now has come since. */
  readonly hasErased: boolean;
  stopped?: Held | Failed;
}

export interface TaskProof {
  readonly subject: Subject;
  /** By the target that looked them up: those that count. */
  readonly proven: ReadonlyMap<string, readonly Identity[]>;
  readonly unproven: readonly Identity[];
  /** Names of those that others vouch for. */
  readonly trusted: ReadonlySet<string>;
  /** Why the task cannot go on, whatever its target finds. */
  readonly stopped: Held | Failed | undefined;
  /** Why it cannot go on if rows are found by identities alone that are not proven. */
  readonly held: Held | undefined;
}

/** Those that are not proven yet; of one lookup, or of all. */
export function openOf({ bySource, proven }: ProvedTask, source?: string): Identity[] {
  const all = source === undefined ? [...bySource.values()].flat() : (bySource.get(source) ?? []);
  return all.filter((identity) => !proven.has(nameOf(identity)));
}

export function proofOf(
  task: ProvedTask,
  own: TargetConfig,
  targetNamed: (name: string) => TargetConfig | undefined,
): TaskProof {
  const { opened, bySource, trusted, stopped } = task;
  const unproven = openOf(task);
  const names = new Set(unproven.map(nameOf));
  const { lookedUp, unproven: _, ...subject } = opened.subject;
  const isProven = (one: Identity) => task.proven.has(nameOf(one));
  const first = [...bySource].find(([source]) => openOf(task, source).length > 0);
  return {
    stopped,
    unproven,
    trusted,
    proven: new Map([...bySource].map(([source, own]) => [source, own.filter(isProven)])),
    subject: {
      ...subject,
      ...(lookedUp !== undefined && {
        lookedUp: lookedUp.filter((one) => !names.has(nameOf(one)) && !trusted.has(nameOf(one))),
      }),
      ...(unproven.length > 0 && {
        unproven: subject.identities.filter((one) => names.has(nameOf(one))),
      }),
    },
    held:
      first === undefined
        ? undefined
        : unprovenBy(first[0], unproven, first[0] === own.name ? own : targetNamed(first[0])),
  };
}

function unprovenBy(
  source: string,
  unproven: readonly Identity[],
  target: TargetConfig | undefined,
): Held {
  const types = [...new Set(unproven.map(({ type }) => type))].join(' and ');
  const resolve = target !== undefined && 'resolve' in target ? target.resolve : null;
  const where =
    resolve === null
      ? `the target ${source}, which cannot be asked any more ("resolve")`
      : `${resolve.table} of the target ${source} ("resolve"), which does not give it any more`;
  return {
    outcome: 'held',
    reason: 'unproven_identity',
    detail: `a ${types} of this request was looked up in ${where}, and rows are found by it alone; if it is not the person's, correct the data and release: it is looked up anew, and what is not given then is dropped. If it is, add it (unwrite request identify), then release. Or retain the task`,
  };
}

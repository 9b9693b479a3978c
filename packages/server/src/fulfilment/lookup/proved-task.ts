// One task whose looked-up identities are being proven, and what that means for it.
import type { Identity } from '../../domain/request/identity.ts';
import type { Counts, Failed, Held, Relied, Subject } from '../../domain/target/connector.ts';
import { isUnproven } from '../../domain/target/lookup-words.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { nameOf, type OpenedTask } from '../open-subjects.ts';

export interface ProvedTask {
  readonly opened: OpenedTask;
  /** Grouped by the target that looked them up. */
  readonly bySource: ReadonlyMap<string, readonly Identity[]>;
  /** Names of the targets to ask. */
  readonly lookups: ReadonlySet<string>;
  /** Identities that were submitted, added by an operator, or proven so far; keyed by name. */
  readonly proven: Map<string, Identity>;
  /** Identities that lookups give now, each proven by those before it. */
  readonly relied: Relied[];
  stopped?: Held | Failed;
}

export interface TaskProof {
  readonly subject: Subject;
  /** Identities that count because a lookup gives them, in the order in which they were proven. */
  readonly relied: readonly Relied[];
  readonly unproven: readonly Identity[];
  /** Why the task cannot continue, even if its target finds nothing. */
  readonly stopped: Held | Failed | undefined;
  /** Why it cannot continue if only unproven identities find these rows. */
  readonly heldFor: ((alone: Counts) => Held) | undefined;
}

/** Identities that are not proven yet; of one lookup, or of all. */
export function openOf({ bySource, proven }: ProvedTask, source?: string): Identity[] {
  const all = source === undefined ? [...bySource.values()].flat() : (bySource.get(source) ?? []);
  return all.filter((identity) => !proven.has(nameOf(identity)));
}

export function proofOf(
  task: ProvedTask,
  own: TargetConfig,
  targetNamed: (name: string) => TargetConfig | undefined,
): TaskProof {
  const { opened, bySource, stopped } = task;
  const unproven = openOf(task);
  const names = new Set(unproven.map(nameOf));
  const { lookedUp, unproven: _, ...subject } = opened.subject;
  const here = new Set(task.relied.flatMap((one) => (one.source === own.name ? one.name : [])));
  const first = [...bySource].find(([source]) => openOf(task, source).length > 0);
  return {
    stopped,
    unproven,
    relied: task.relied,
    subject: {
      ...subject,
      ...((lookedUp !== undefined || here.size > 0) && {
        lookedUp: subject.identities.filter((one) => here.has(nameOf(one))),
      }),
      ...(unproven.length > 0 && {
        unproven: subject.identities.filter((one) => names.has(nameOf(one))),
      }),
    },
    heldFor:
      first === undefined
        ? undefined
        : (alone) => {
            const [source] = first;
            const looksUp = source === own.name ? own : targetNamed(source);
            return isUnproven(whereOf(source, looksUp), unproven, alone);
          },
  };
}

/** Text that says where the identity was looked up. */
export function whereOf(source: string, target: TargetConfig | undefined): string {
  const resolve = target !== undefined && 'resolve' in target ? target.resolve : null;
  return resolve === null
    ? `the target ${source}, which cannot be asked any more ("resolve")`
    : `${resolve.table} of the target ${source} ("resolve"), which does not give it any more`;
}

/** The subject with only its given and proven identities. */
export function withoutUnproven({ identities, unproven = [], ...subject }: Subject): Subject {
  return { ...subject, identities: identities.filter((one) => !unproven.includes(one)) };
}

// A target that erases rows in which another target of the request looks identities up: what they give now has to be known
// before they are gone, or rows elsewhere would be left without a way to find them.
import type { Failed, Held } from '../../domain/target/connector.ts';
import { givesMore } from '../../domain/target/lookup-words.ts';
import { mayEraseFrom } from '../../domain/target/may-erase.ts';
import type { LookingUp, TargetConfig } from '../../domain/target/target.ts';
import { nameOf, type OpenedTask } from '../open-subjects.ts';
import { createAskSource, type OwnTarget, type SourceParts } from './ask-source.ts';
import { withoutUnproven } from './proved-task.ts';

export interface GuardParts extends SourceParts {
  readonly allTargets: () => readonly TargetConfig[];
}

/** By the number of the task: why it has to wait. `tasks`: with what is proven. */
export function createGuardLookups(parts: GuardParts) {
  const ask = createAskSource(parts);

  return async (
    own: OwnTarget,
    tasks: readonly OpenedTask[],
  ): Promise<ReadonlyMap<number, Held | Failed>> => {
    const stopped = new Map<number, Held | Failed>();
    for (const source of parts.allTargets()) {
      if (!isErasedBy(source, own.target)) continue;
      const asked = tasks.filter(
        ({ task: { taskNo, controllerId } }) =>
          !stopped.has(taskNo) && source.controllers?.includes(controllerId) !== false,
      );
      if (asked.length === 0) continue;
      const subjects = asked.map(({ subject }) => withoutUnproven(subject));
      const given = await ask(own, source.name, (connector) => connector.resolve?.(subjects));
      asked.forEach(({ task, subject }, place) => {
        const answer = given.outcome === 'failed' ? given : given.answers[place];
        const known = new Set(subject.identities.map(nameOf));
        if (answer?.outcome === 'failed') stopped.set(task.taskNo, answer);
        const isMore =
          answer?.outcome === 'held' ||
          (answer?.outcome === 'resolved' &&
            answer.identities.some((identity) => !known.has(nameOf(identity))));
        if (isMore) stopped.set(task.taskNo, givesMore(source.resolve));
      });
    }
    return stopped;
  };
}

function isErasedBy(source: TargetConfig, target: TargetConfig): source is LookingUp {
  return (
    'resolve' in source &&
    source.resolve !== null &&
    source.name !== target.name &&
    mayEraseFrom(target, source.resolve.table)
  );
}

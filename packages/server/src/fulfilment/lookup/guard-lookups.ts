// A target may erase rows in which another target of the request looks identities up. What the lookup gives must be
// known before these rows are gone, or rows elsewhere could not be found any more. The same applies to a target that
// finds rows by looked-up identities: an identity may be new, or the lookup itself may be.
import { isGiven } from '../../domain/request/identity-source.ts';
import { chainedTypes } from '../../domain/target/chained-types.ts';
import type { Failed, Held } from '../../domain/target/connector.ts';
import { looksUp } from '../../domain/target/looks-up.ts';
import { givesMore } from '../../domain/target/lookup-words.ts';
import { mayEraseFrom } from '../../domain/target/may-erase.ts';
import { needsIdentities } from '../../domain/target/needs-identities.ts';
import type { LookingUp, TargetConfig } from '../../domain/target/target.ts';
import { nameOf, type OpenedTask, type OpenIdentities } from '../open-subjects.ts';
import { createAskSource, type OwnTarget, type SourceParts } from './ask-source.ts';
import { withoutUnproven } from './proved-task.ts';

export interface GuardParts extends SourceParts {
  readonly allTargets: () => readonly TargetConfig[];
  readonly openIdentities: OpenIdentities;
}

/** Why tasks have to wait, by task number. `tasks`: with their proven identities. */
export function createGuardLookups(parts: GuardParts) {
  const ask = createAskSource(parts);

  return async (
    own: OwnTarget,
    tasks: readonly OpenedTask[],
  ): Promise<ReadonlyMap<number, Held | Failed>> => {
    const stopped = new Map<number, Held | Failed>();
    const lookups = parts.allTargets().filter(looksUp);
    for (const source of lookups) {
      if (source.name === own.target.name) continue;
      const isErased = mayEraseFrom(own.target, source.resolve.table);
      const isNeeded = needsIdentities(own.target, chainedTypes(source, lookups));
      if (!isErased && !isNeeded) continue;
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
          (answer?.outcome === 'held' && (isErased || !hasChosen(source, task))) ||
          (answer?.outcome === 'resolved' &&
            answer.identities.some((identity) => !known.has(nameOf(identity))));
        if (isMore) stopped.set(task.taskNo, givesMore(source.resolve));
      });
    }
    return stopped;
  };

  /** Whether an operator has already added the right identities, where the lookup found too many. */
  function hasChosen({ resolve: { to } }: LookingUp, task: OpenedTask['task']): boolean {
    const added = task.identities.filter(({ source }) => source !== undefined && isGiven(source));
    return parts.openIdentities(task, added).some(({ type }) => type === to.type);
  }
}

/** Whether `target` erases rows in which `source` looks up. */
export function isErasedBy(source: TargetConfig, target: TargetConfig): source is LookingUp {
  return (
    looksUp(source) && source.name !== target.name && mayEraseFrom(target, source.resolve.table)
  );
}

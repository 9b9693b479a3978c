// Which identities of a task count at its target. Rows that only other identities find are not touched: the task is held.
import { byName } from '../../domain/by-name.ts';
import type { Counts, Failed, Held, Preview } from '../../domain/target/connector.ts';
import type { OpenedTask } from '../open-subjects.ts';
import type { OwnTarget } from './ask-source.ts';
import { createGuardLookups, type GuardParts } from './guard-lookups.ts';
import { createPreviewDoubtful, type DoubtParts } from './preview-doubtful.ts';
import { createProveLookedUp, type LookupParts } from './prove-looked-up.ts';

export interface ProvenBy {
  /** Rows found only by other identities: an operator has released the task without them. */
  readonly leftOut: Counts;
  /** Why nothing may be erased that is found. */
  readonly guarded: Held | Failed | undefined;
  /** What is known already: then nothing is erased now. */
  readonly known: Preview | undefined;
}

export function createProveTasks(parts: LookupParts & GuardParts & DoubtParts) {
  const proveLookedUp = createProveLookedUp(parts);
  const guardLookups = createGuardLookups(parts);
  const previewDoubtful = createPreviewDoubtful(parts);

  return async <Task extends OpenedTask>(
    own: OwnTarget,
    tasks: readonly Task[],
  ): Promise<(Task & ProvenBy)[]> => {
    const proofs = await proveLookedUp(own, tasks);
    const proven = tasks.map((one) => {
      const { subject = one.subject, relied = [] } = proofs.get(one.task.taskNo) ?? {};
      const isHere = 'work' in own.target && relied.length > 0;
      return { ...one, subject: isHere ? { ...subject, relied } : subject };
    });
    const guarded = await guardLookups(own, proven);
    const doubtful = await previewDoubtful(own, proven, proofs);
    return proven.map((one) => {
      const { taskNo } = one.task;
      const answer = doubtful.get(taskNo);
      return {
        ...one,
        subject: answer?.subject ?? one.subject,
        leftOut: answer?.leftOut ?? byName<number>(),
        guarded: guarded.get(taskNo),
        known: answer?.preview ?? proofs.get(taskNo)?.stopped,
      };
    });
  };
}

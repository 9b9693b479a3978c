// What a target finds by proven identities. Rows that only other identities find are not touched: the task is held.
import { byName } from '../../domain/by-name.ts';
import type { Counts, Preview, Relied } from '../../domain/target/connector.ts';
import type { OpenedTask } from '../open-subjects.ts';
import type { OwnTarget } from './ask-source.ts';
import { createGuardLookups, type GuardParts } from './guard-lookups.ts';
import { createPreviewDoubtful, type DoubtParts } from './preview-doubtful.ts';
import { createProveLookedUp, type LookupParts } from './prove-looked-up.ts';

export interface ProvenBy {
  /** Looked-up identities that are proven now. */
  readonly relied: readonly Relied[];
  /** Rows found only by other identities: an operator has released the task without them. */
  readonly leftOut: Counts;
}

export function createPreviewProven(parts: LookupParts & GuardParts & DoubtParts) {
  const proveLookedUp = createProveLookedUp(parts);
  const guardLookups = createGuardLookups(parts);
  const previewDoubtful = createPreviewDoubtful(parts);

  return async <Task extends OpenedTask>(
    own: OwnTarget,
    tasks: readonly Task[],
  ): Promise<{ readonly proven: (Task & ProvenBy)[]; readonly previews: Preview[] }> => {
    const proofs = await proveLookedUp(own, tasks);
    const proofOf = ({ task }: OpenedTask) => proofs.get(task.taskNo);
    const subjectOf = (one: OpenedTask) => proofOf(one)?.subject ?? one.subject;
    const proven = tasks.map((one) => ({
      ...one,
      subject: subjectOf(one),
      relied: proofOf(one)?.relied ?? [],
    }));
    const guarded = await guardLookups(own, proven);
    const answers = await previewDoubtful(own, proven, proofs);
    return {
      proven: proven.map((one, place) => ({
        ...one,
        subject: answers[place]?.subject ?? one.subject,
        leftOut: answers[place]?.leftOut ?? byName<number>(),
      })),
      previews: answers.map(
        ({ subject, preview }) =>
          (preview.outcome === 'found' ? guarded.get(subject.taskNo) : undefined) ?? preview,
      ),
    };
  };
}

// What a target finds by identities that are proven. Rows that only others find are not touched: the task is held.
import { byName } from '../../domain/by-name.ts';
import type { Counts, Preview } from '../../domain/target/connector.ts';
import type { Vouched } from '../../domain/task/fulfilment-ports.ts';
import type { OpenedTask } from '../open-subjects.ts';
import type { OwnTarget } from './ask-source.ts';
import { createGuardLookups, type GuardParts } from './guard-lookups.ts';
import { createPreviewDoubtful, type DoubtParts } from './preview-doubtful.ts';
import { createProveLookedUp, type LookupParts } from './prove-looked-up.ts';
import { createVouch } from './vouch.ts';

export interface ProvenBy {
  /** Looked-up identities that count now, and whose rows the target may erase. */
  readonly vouched: readonly Vouched[];
  /** Rows that only others find: a person has released the task without them. */
  readonly leftOut: Counts;
}

export function createPreviewProven(parts: LookupParts & GuardParts & DoubtParts) {
  const proveLookedUp = createProveLookedUp(parts);
  const guardLookups = createGuardLookups(parts);
  const vouch = createVouch(parts);
  const previewDoubtful = createPreviewDoubtful(parts);

  return async <Task extends OpenedTask>(
    own: OwnTarget,
    tasks: readonly Task[],
  ): Promise<{ readonly proven: (Task & ProvenBy)[]; readonly previews: Preview[] }> => {
    const proofs = await proveLookedUp(own, tasks);
    const proofOf = ({ task }: OpenedTask) => proofs.get(task.taskNo);
    const subjectOf = (one: OpenedTask) => proofOf(one)?.subject ?? one.subject;
    const vouched = await vouch(
      own,
      tasks.map((one) => ({ subject: subjectOf(one), proof: proofOf(one) })),
    );
    const proven = tasks.map((one, place) => ({
      ...one,
      subject: subjectOf(one),
      vouched: vouched[place] ?? [],
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

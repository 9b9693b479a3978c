// What a target finds by identities that are proven. Rows that only others find are not touched: the task is held.
import {
  type Connector,
  type Counts,
  type Held,
  NO_ANSWER,
  type Preview,
  type Subject,
} from '../../domain/target/connector.ts';
import type { Vouched } from '../../domain/task/fulfilment-ports.ts';
import { hasRows, withoutKeys } from '../intent/key-rows.ts';
import type { IntentSettlement, TriedBefore } from '../intent/settle-intents.ts';
import type { OpenedTask } from '../open-subjects.ts';
import type { OwnTarget } from './ask-source.ts';
import { createGuardLookups, type GuardParts } from './guard-lookups.ts';
import { createProveLookedUp, type LookupParts } from './prove-looked-up.ts';
import type { TaskProof } from './proved-task.ts';
import { createVouch } from './vouch.ts';

export interface ProvenBy {
  /** Looked-up identities that count now, and whose rows the target may erase. */
  readonly vouched: readonly Vouched[];
}

export function createPreviewProven(parts: LookupParts & GuardParts) {
  const proveLookedUp = createProveLookedUp(parts);
  const guardLookups = createGuardLookups(parts);
  const vouch = createVouch(parts);

  return async <Task extends OpenedTask & TriedBefore>(
    own: OwnTarget,
    tasks: readonly Task[],
    settlements: readonly (IntentSettlement | undefined)[],
  ): Promise<{ readonly proven: (Task & ProvenBy)[]; readonly previews: Preview[] }> => {
    const proofs = await proveLookedUp(own, tasks, (place) => {
      const task = tasks[place];
      return task !== undefined && hasErased(task, settlements[place]);
    });
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
    const subjects = proven.map(({ subject }) => subject);
    const answers = await previewProven(own.connector, subjects, proofs);
    return {
      proven: proven.map((one, place) => ({
        ...one,
        subject: answers[place]?.subject ?? one.subject,
      })),
      previews: answers.map(
        ({ subject, preview }) =>
          (preview.outcome === 'found' ? guarded.get(subject.taskNo) : undefined) ?? preview,
      ),
    };
  };
}

/** Whether it is known that an attempt before this one erased: what is found now may have come since. */
function hasErased(
  { task, before }: OpenedTask & TriedBefore,
  settlement: IntentSettlement | undefined,
): boolean {
  const reported = Object.values(task.reported ?? {}).some(({ rows }) => rows > 0);
  if (reported || before?.state === 'done') return true;
  if (before?.state !== 'erasing' || settlement?.outcome !== 'settled') return false;
  const { gone, unnamed = {} } = settlement.keys;
  const isLess = Object.entries(unnamed).some(
    ([table, rows]) => rows < (before.counts[table] ?? 0),
  );
  return hasRows(gone) || isLess;
}

interface ProvenPreview {
  readonly subject: Subject;
  readonly preview: Preview;
}

/** `proofs`: by the number of the task, of those with looked-up identities. Answers with what the target is to work with. */
async function previewProven(
  connector: Connector,
  subjects: readonly Subject[],
  proofs: ReadonlyMap<number, TaskProof>,
): Promise<ProvenPreview[]> {
  const previews = await connector.preview(subjects);
  const doubtful = subjects.filter(({ unproven = [] }) => unproven.length > 0);
  const answers = new Map<
    number,
    { subject?: Subject | undefined; preview: Preview | undefined }
  >();
  if (doubtful.length > 0) {
    // By themselves both times: in a batch, rows may be counted for another request.
    const all = await connector.preview(doubtful);
    const certain = doubtful.map(withoutUnproven);
    const proven = await connector.preview(certain);
    doubtful.forEach(({ taskNo }, place) => {
      const held = proofs.get(taskNo)?.held;
      const preview = held && decide(held, all[place], proven[place]);
      // A target that names no rows erases whatever its identities find by then.
      const isBound = proven[place]?.outcome !== 'found' || proven[place].layout !== undefined;
      if (preview !== undefined) answers.set(taskNo, { preview });
      else if (!isBound) answers.set(taskNo, { subject: certain[place], preview: proven[place] });
    });
  }
  return subjects.map((subject, place) => {
    const answer = answers.get(subject.taskNo);
    const preview = proofs.get(subject.taskNo)?.stopped ?? answer?.preview ?? previews[place];
    return { subject: answer?.subject ?? subject, preview: preview ?? NO_ANSWER };
  });
}

/** Undefined: nothing is found by what is not proven. */
function decide(
  held: Held,
  all: Preview | undefined,
  proven: Preview | undefined,
): Preview | undefined {
  if (all?.outcome !== 'found') return undefined;
  const { counts, retained, keys, layout } = all;
  if (proven?.outcome === 'found') {
    const isMore =
      hasMore(counts, proven.counts) ||
      hasMore(retained, proven.retained) ||
      hasRows(withoutKeys(keys, proven.keys, layout));
    return isMore ? held : undefined;
  }
  if (hasMore(counts, {}) || hasMore(retained, {})) return held;
  const isUnasked =
    proven === undefined ||
    proven.outcome === 'unmatched' ||
    (proven.outcome === 'held' && proven.reason === 'no_usable_identity');
  return isUnasked ? undefined : proven;
}

function hasMore(counts: Counts, others: Counts): boolean {
  return Object.entries(counts).some(([table, rows]) => rows > (others[table] ?? 0));
}

function withoutUnproven({ identities, unproven = [], ...subject }: Subject): Subject {
  return { ...subject, identities: identities.filter((one) => !unproven.includes(one)) };
}

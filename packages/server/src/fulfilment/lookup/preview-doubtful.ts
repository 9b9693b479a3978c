// What a target finds if some identities of a request are unproven: it is asked with and without them. Rows that only
// they find are not touched. The task is held, or continues without them if an operator released it for these rows.
import { byName } from '../../domain/by-name.ts';
import {
  type Connector,
  type Counts,
  NO_ANSWER,
  type Preview,
  type Subject,
  totalOf,
} from '../../domain/target/connector.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { addKeys, countKeys, withoutKeys } from '../intent/key-rows.ts';
import { addCounts, lessCounts, maxCounts } from '../intent/merge-intent.ts';
import type { OpenedTask } from '../open-subjects.ts';
import type { OwnTarget } from './ask-source.ts';
import { type TaskProof, withoutUnproven } from './proved-task.ts';

export interface DoubtParts {
  readonly store: Pick<FulfilmentStore, 'releasedWithout'>;
}

interface DoubtAnswer {
  /** The subject that the target is to work with. */
  readonly subject: Subject;
  /** Absent where rows may be erased that proven identities find. */
  readonly preview?: Preview | undefined;
  readonly leftOut: Counts;
}

interface Doubtful {
  readonly opened: OpenedTask;
  readonly certain: Subject;
  readonly all: Preview | undefined;
  readonly proven: Preview | undefined;
  /** Rows found only by unproven identities. */
  readonly alone: Counts;
}

/** `proofs`: by task number, for tasks with looked-up identities. */
export function createPreviewDoubtful({ store }: DoubtParts) {
  /** Tasks that an operator has released for at least that many rows. */
  async function releasedOf(
    { target }: OwnTarget,
    doubtful: readonly Doubtful[],
  ): Promise<Doubtful[]> {
    const held = doubtful.filter(({ alone }) => totalOf(alone) > 0);
    if (held.length === 0) return [];
    const asked = held.map(({ opened }) => opened.task);
    const released = await store.releasedWithout(target.name, asked);
    return held.filter(
      ({ opened, alone }) => totalOf(alone) <= (released.get(opened.task.taskNo) ?? 0),
    );
  }

  /** Keyed by task number; only tasks with unproven identities. */
  return async (
    own: OwnTarget,
    tasks: readonly OpenedTask[],
    proofs: ReadonlyMap<number, TaskProof>,
  ): Promise<Map<number, DoubtAnswer>> => {
    const { connector } = own;
    const unproven = tasks.filter(({ subject }) => (subject.unproven ?? []).length > 0);
    if (unproven.length === 0) return new Map();
    const previews = await connector.preview(tasks.map(({ subject }) => subject));
    const apart = await askDoubtful(connector, unproven);
    const doubtful = await askTogether(connector, tasks, previews, apart);
    const proofOf = ({ task }: OpenedTask) => proofs.get(task.taskNo);
    const isGoing = ({ opened }: Doubtful) => proofOf(opened)?.stopped === undefined;
    const released = new Set(await releasedOf(own, doubtful.filter(isGoing)));
    const foundOf = new Map(tasks.map(({ task }, place) => [task.taskNo, previews[place]]));
    return new Map(
      doubtful.map((one): [number, DoubtAnswer] => {
        const { opened, certain, alone } = one;
        const { taskNo } = opened.task;
        if (released.has(one)) return [taskNo, { subject: certain, leftOut: alone }];
        const { stopped, heldFor } = proofOf(opened) ?? {};
        const answer = answerOf(one, heldFor);
        const preview = stopped ?? answer?.preview ?? foundOf.get(taskNo) ?? NO_ANSWER;
        const leftOut = byName<number>();
        return preview.outcome === 'found' && totalOf(preview.counts) > 0
          ? [taskNo, { subject: answer?.subject ?? asProven(opened.subject), leftOut }]
          : [taskNo, { subject: opened.subject, preview, leftOut }];
      }),
    );
  };
}

/** Asks without the other requests of the batch: rows that these find too could be counted for the others. */
async function askDoubtful(
  connector: Connector,
  tasks: readonly OpenedTask[],
): Promise<Doubtful[]> {
  const doubtful: Doubtful[] = [];
  for (const one of await askTwice(connector, tasks)) {
    const isShared = [one.all, one.proven].some(
      (preview) => preview?.outcome === 'found' && preview.sharedWith.length > 0,
    );
    const [byItself] = isShared ? await askTwice(connector, [one.opened]) : [];
    doubtful.push(byItself ? { ...one, alone: maxCounts(one.alone, byItself.alone) } : one);
  }
  return doubtful;
}

/** A task that is held alone may be found together with other requests of the batch: then that answer counts. */
async function askTogether(
  connector: Connector,
  tasks: readonly OpenedTask[],
  previews: readonly Preview[],
  doubtful: readonly Doubtful[],
): Promise<Doubtful[]> {
  const placeOf = new Map(tasks.map(({ task }, place) => [task.taskNo, place]));
  const together = ({ opened }: Doubtful) => previews[placeOf.get(opened.task.taskNo) ?? -1];
  const isOnlyTogether = (one: Doubtful) =>
    one.all?.outcome !== 'found' && together(one)?.outcome === 'found';
  if (!doubtful.some(isOnlyTogether)) return [...doubtful];
  const proven = await connector.preview(tasks.map(({ subject }) => asProven(subject)));
  return doubtful.map((one) => {
    if (!isOnlyTogether(one)) return one;
    const place = placeOf.get(one.opened.task.taskNo) ?? -1;
    return { ...one, alone: maxCounts(one.alone, foundAlone(together(one), proven[place])) };
  });
}

async function askTwice(
  connector: Connector,
  doubtful: readonly OpenedTask[],
): Promise<Doubtful[]> {
  if (doubtful.length === 0) return [];
  const all = await connector.preview(doubtful.map(({ subject }) => subject));
  const proven = await connector.preview(doubtful.map(({ subject }) => asProven(subject)));
  return doubtful.map((opened, place) => ({
    opened,
    certain: withoutUnproven(opened.subject),
    all: all[place],
    proven: proven[place],
    alone: foundAlone(all[place], proven[place]),
  }));
}

/** Tables that only unproven identities can query must not hide what other tables find. */
function asProven(subject: Subject): Subject {
  const { unproven = [] } = subject;
  if (unproven.length === 0) return subject;
  return { ...withoutUnproven(subject), unprovenTypes: unproven.map(({ type }) => type) };
}

/** Rows found only by unproven identities. */
export function foundAlone(all: Preview | undefined, proven: Preview | undefined): Counts {
  if (all?.outcome !== 'found') return byName();
  const kept = all.kept ?? byName();
  if (proven?.outcome !== 'found') {
    return addCounts(addCounts(some(all.counts), some(all.retained)), countKeys(kept));
  }
  const rows = maxCounts(
    lessCounts(all.counts, proven.counts),
    some(countKeys(withoutKeys(all.keys, proven.keys, all.layout), all.layout)),
  );
  const found = addKeys(proven.keys, proven.kept ?? byName(), all.layout);
  return addCounts(
    addCounts(rows, lessCounts(all.retained, proven.retained)),
    countKeys(withoutKeys(kept, found, all.layout)),
  );
}

const some = (counts: Counts) => lessCounts(counts, byName<number>());

/** Undefined if unproven identities find nothing and the target erases only the rows that it named. */
function answerOf(
  { all, proven, certain, alone }: Doubtful,
  heldFor: TaskProof['heldFor'],
): { readonly subject?: Subject; readonly preview: Preview } | undefined {
  if (heldFor !== undefined && totalOf(alone) > 0) return { preview: heldFor(alone) };
  // A target that names no rows erases everything that its identities find by then.
  const isBound = proven?.outcome !== 'found' || proven.layout !== undefined;
  if (!isBound) return { subject: certain, preview: proven };
  const isUnasked =
    proven === undefined ||
    proven.outcome === 'found' ||
    proven.outcome === 'unmatched' ||
    (proven.outcome === 'held' && proven.reason === 'no_usable_identity');
  return all?.outcome !== 'found' || isUnasked ? undefined : { preview: proven };
}

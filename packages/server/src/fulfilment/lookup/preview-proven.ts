// What a target finds by identities that are proven. Rows that only others find are not touched: the task is held.
import type { Connector, Counts, Held, Preview, Subject } from '../../domain/target/connector.ts';
import { hasRows, withoutKeys } from '../intent/key-rows.ts';
import type { IntentSettlement, TriedBefore } from '../intent/settle-intents.ts';
import type { OpenedTask } from '../open-subjects.ts';
import { createProveLookedUp, type LookupParts, type OwnTarget } from './prove-looked-up.ts';
import type { TaskProof } from './proved-task.ts';

export function createPreviewProven(parts: LookupParts) {
  const proveLookedUp = createProveLookedUp(parts);

  return async <Task extends OpenedTask & TriedBefore>(
    own: OwnTarget,
    tasks: readonly Task[],
    settlements: readonly (IntentSettlement | undefined)[],
  ): Promise<{ readonly proven: Task[]; readonly previews: Preview[] }> => {
    const proofs = await proveLookedUp(own, tasks, (place) => {
      const task = tasks[place];
      return task !== undefined && hasErased(task, settlements[place]);
    });
    const proven = tasks.map((one) => {
      const { subject = one.subject } = proofs.get(one.task.taskNo) ?? {};
      return { ...one, subject };
    });
    const subjects = proven.map(({ subject }) => subject);
    return { proven, previews: await previewProven(own.connector, subjects, proofs) };
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

/** `proofs`: by the number of the task, of those with looked-up identities. */
async function previewProven(
  connector: Connector,
  subjects: readonly Subject[],
  proofs: ReadonlyMap<number, TaskProof>,
): Promise<Preview[]> {
  const previews = await connector.preview(subjects);
  const doubtful = subjects.filter(({ unproven = [] }) => unproven.length > 0);
  const answers = new Map<number, Preview>();
  if (doubtful.length > 0) {
    // By themselves both times: in a batch, rows may be counted for another request.
    const all = await connector.preview(doubtful);
    const proven = await connector.preview(doubtful.map(withoutUnproven));
    doubtful.forEach(({ taskNo }, place) => {
      const held = proofs.get(taskNo)?.held;
      const answer = held && decide(held, all[place], proven[place]);
      if (answer !== undefined) answers.set(taskNo, answer);
    });
  }
  return previews.map((preview, place) => {
    const { taskNo = 0 } = subjects[place] ?? {};
    return proofs.get(taskNo)?.stopped ?? answers.get(taskNo) ?? preview;
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

// Erases people, in one transaction for the batch: finds their rows, asks what may be erased, changes exactly these,
// and measures that nothing else has changed.
import { byName, isEmpty } from '../../../domain/by-name.ts';
import type {
  EraseSteps,
  Erasure,
  Failed,
  Held,
  Subject,
} from '../../../domain/target/connector.ts';
import { LEFT_OUT } from '../../erase-as-previewed.ts';
import type { FindContext } from '../find/find-context.ts';
import { isLookedUpOtherwise, lookUpAgain } from '../find/lookups/look-up-again.ts';
import type { UnknownTypes } from '../find/preview-rows.ts';
import { runHalving } from '../halve.ts';
import { keepSettings } from '../keep-settings.ts';
import { runReadable } from '../run-readable.ts';
import type { SqlFailure, SqlSession } from '../session.ts';
import type { TablesTarget } from '../tables-target.ts';
import { changeRows } from './change-rows.ts';
import { findToErase } from './find-to-erase.ts';
import { readAllChanges, readChanges, refuseOtherChanges } from './guard-changes.ts';
import { holdLeading } from './hold-leading.ts';
import { nameTriggers } from './name-triggers.ts';
import { isReferredMeanwhile, referredTo, refusedByConstraint } from './refused-rows.ts';

export async function eraseRows(
  target: TablesTarget,
  subjects: readonly Subject[],
  { decide, record }: EraseSteps,
): Promise<Erasure[]> {
  const firesTriggers = target.work.triggers.length > 0;
  const { unknown, changed } = await lookUpAgain(target, subjects);
  const once = (batch: readonly Subject[]) =>
    target.transactions.run(
      batch,
      (session) => {
        const work = () => eraseBatch({ target, session, unknown, decide }, batch);
        return firesTriggers ? keepSettings(target.dialect, session, work) : work();
      },
      record,
    );
  const run = (batch: readonly Subject[]) =>
    once(batch).catch((error) => {
      if (isReferredMeanwhile(error)) return once(batch);
      throw error;
    });
  const alone = async (subject: Subject, failure: SqlFailure): Promise<Erasure | undefined> => {
    if (failure.refusedBy === 'constraint') return refusedByConstraint(failure);
    return (
      (await again(target, subject, failure, run)) ??
      (await runReadable(target, subject, failure, run)) ??
      nameTriggers(target, failure)
    );
  };
  const open = subjects.filter(({ taskNo }) => !changed.has(taskNo));
  const erasures = await runHalving(open, run, alone, target.isUsable);
  const byTask = new Map<number, Erasure | Held | Failed>([
    ...changed,
    ...open.flatMap(({ taskNo }, place): [number, Erasure][] => {
      const erasure = erasures[place];
      return erasure === undefined ? [] : [[taskNo, erasure]];
    }),
  ]);
  return subjects.map(({ taskNo }) => byTask.get(taskNo) ?? LEFT_OUT);
}

/**
 * Looks again for rows that stay and refer to the person's rows, before an operator is asked: they may have
 * been added since the transaction began.
 */
async function again(
  target: TablesTarget,
  subject: Subject,
  failure: SqlFailure,
  run: (batch: readonly Subject[]) => Promise<readonly Erasure[]>,
): Promise<Erasure | undefined> {
  const plan = await target.plan();
  // SQLite implements RESTRICT with an internal trigger.
  const isReference = ({ isReference: is, code }: SqlFailure) =>
    is || (code === SQLITE_TRIGGER && plan.isRestricted);
  if (!isReference(failure)) return undefined;
  const [answer] = await runHalving([subject], run, async (_, second) =>
    isReference(second) ? referredTo(second, plan) : undefined,
  );
  return answer;
}

const SQLITE_TRIGGER = 'sql_1811';

interface BatchParts {
  readonly target: TablesTarget;
  readonly session: SqlSession;
  readonly unknown: UnknownTypes;
  readonly decide: EraseSteps['decide'];
}

async function eraseBatch(
  { target, session, unknown, decide }: BatchParts,
  subjects: readonly Subject[],
): Promise<Erasure[]> {
  const { config, dialect, work, names, ownValues } = target;
  const [before, { plan, catalogue }] = await Promise.all([
    readChanges(session, dialect, names, work),
    target.planNow(session),
  ]);
  const context: FindContext = { session, dialect, config, plan, ownValues };
  // First, because its rows are locked from then on: their values decide whose the other rows are.
  const isOtherwise = await isLookedUpOtherwise(context, subjects);
  const open = subjects.filter((_, place) => isOtherwise[place] !== true);
  const found = await findToErase({ target, context, unknown, decide }, open);
  const answerWith = (erasures: ReadonlyMap<number, Erasure>) =>
    subjects.map(({ taskNo }, place): Erasure => {
      if (isOtherwise[place] === true) return { outcome: 'grown' };
      if (!found.ordered.has(taskNo)) return LEFT_OUT;
      return erasures.get(taskNo) ?? { outcome: 'erased', counts: byName() };
    });
  if (found.people.every((one) => one === undefined || isEmpty(one.found.counts)))
    return answerWith(new Map());
  if (dialect.forUpdate === '') await holdLeading(found);
  await target.beforeChange?.();
  const { own, erasures } = await changeRows(found);
  await refuseOtherChanges(
    { ...context, work, catalogue },
    before,
    await readAllChanges(session, dialect, names, work),
    own,
  );
  await target.requireSameSchema(session, catalogue);
  return answerWith(erasures);
}

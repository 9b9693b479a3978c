// The steps of a batch: settle earlier attempts, preview, guard, limits and pauses, intent, erase, verify,
// evidence. Every task has an outcome of its own.
import { byName } from '../../domain/by-name.ts';
import type { Clock } from '../../domain/clock.ts';
import {
  type Connector,
  type Counts,
  NO_ANSWER,
  type Preview,
  totalOf,
} from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type {
  FulfilmentStore,
  LeasedBatch,
  LeasedTask,
} from '../../domain/task/fulfilment-ports.ts';
import { unnamedIn } from '../evidence/add-up-rows.ts';
import { countDetached, type DetachedNow } from '../evidence/detached-rows.ts';
import { countOnce, reportedRows } from '../evidence/make-evidence.ts';
import { addRecovered, addReported, type Reported } from '../evidence/reported-rows.ts';
import type { Accepted } from '../gate/gate.ts';
import { carryOn } from '../intent/carry-on.ts';
import type { KeysVaultPort } from '../intent/intents.ts';
import { openIntent, sealIntents } from '../intent/intents.ts';
import { commonKeys, countKeys, hasRows, withoutKeys } from '../intent/key-rows.ts';
import { addCounts, mergeIntent, nothingFound } from '../intent/merge-intent.ts';
import { isSamePlace, isSamePlan } from '../intent/same-plan.ts';
import { type IntentSettlement, isVoid, settleIntents } from '../intent/settle-intents.ts';
import type { GuardParts } from '../lookup/guard-lookups.ts';
import { createKeepVouched } from '../lookup/keep-vouched.ts';
import { createPreviewProven, type ProvenBy } from '../lookup/preview-proven.ts';
import type { LookupParts } from '../lookup/prove-looked-up.ts';
import { withVouched } from '../lookup/vouched.ts';
import { CANNOT_OPEN, openSubjects } from '../open-subjects.ts';
import { createApplyLimits } from './apply-limits.ts';
import { askFor, type DigestAcross } from './ask-others.ts';
import type { Backoff } from './backoff.ts';
import {
  addsUp,
  asBefore,
  type Case,
  createFailIn,
  type FailTask,
  KEEPS_GROWING,
  type Outcomes,
  stoppedBy,
  untouchedIntent,
} from './case.ts';
import { applyErased } from './count-again.ts';
import { guard } from './guard.ts';
import { leftBehind } from './hold-words.ts';
import { againOf, type TriedTask } from './tried-task.ts';
import { unmatched } from './unmatched.ts';
import { createVerifyCases } from './verify-cases.ts';

export interface EraseParts extends LookupParts, GuardParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly keysVault: KeysVaultPort;
  readonly digestAcross: DigestAcross;
}

/** One attempt at a batch. */
export interface BatchRun {
  readonly batch: LeasedBatch;
  readonly target: TargetConfig;
  readonly connector: Connector;
  /** Findings of the target's check that the operator has accepted. */
  readonly accepted: Accepted;
  readonly outcomes: Outcomes;
  readonly reported: Reported;
}

/** How often rows may come between the preview and the erasing before the task waits for another time. */
const MAX_PREVIEWS = 3;

export function createEraseBatch(parts: EraseParts) {
  const { store, clock, backoff, openIdentities, keysVault, digestAcross } = parts;
  const applyLimits = createApplyLimits(store, clock);
  const verifyCases = createVerifyCases(parts);
  const previewProven = createPreviewProven(parts);
  const keepVouched = createKeepVouched(parts);

  const failIn = createFailIn(clock, backoff);

  function open(batch: LeasedBatch, fail: FailTask): TriedTask[] {
    return openSubjects(batch, openIdentities, fail).flatMap((opened) => {
      try {
        return [{ ...opened, before: openIntent(keysVault, batch.target, opened.task) }];
      } catch {
        fail(opened.task, CANNOT_OPEN);
        return [];
      }
    });
  }

  /** What the preview means for a task: an outcome at once, or a case to continue with. */
  function decide(
    { task, subject, before, vouched }: TriedTask & ProvenBy,
    settlement: IntentSettlement | undefined,
    preview: Preview | undefined,
    isAnothers: boolean,
    target: TargetConfig,
    outcomes: Outcomes,
    isAtomic: boolean,
  ): Case | undefined {
    const { taskNo } = task;
    const stopped =
      (isVoid(before, settlement) ? undefined : stoppedBy(settlement)) ?? stoppedBy(preview);
    const intent = untouchedIntent(before);
    if (stopped?.outcome === 'failed') failIn(outcomes)(task, stopped, intent);
    if (stopped?.outcome === 'held')
      outcomes.set(taskNo, { taskNo, ...stopped, previewedRows: null, ...(intent && { intent }) });
    if (stopped !== undefined || preview === undefined) return undefined;
    const found = preview.outcome === 'found' ? preview : nothingFound();
    const isSame = before !== undefined && isSamePlan(before, target.planDigest, found);
    // What an earlier attempt erased under another plan is reported too.
    const hasBegun = before !== undefined && before.state !== 'recorded';
    const isSkipped = target.whenUnmatched === 'skip' && hasBegun;
    if (preview.outcome === 'unmatched' && !isSame && !isSkipped) {
      outcomes.set(taskNo, unmatched(task, target, clock()));
      return undefined;
    }
    const carried = carryOn(
      {
        intent: before,
        settled: settlement?.outcome === 'settled' ? settlement : undefined,
        isSamePlan: isSame,
        isSamePlace: before !== undefined && isSamePlace(before, target.planDigest),
        isAnothers,
        isReported: isAtomic && before?.state === 'done',
        reported: reportedRows(task.reported ?? byName<never>()),
      },
      found,
    );
    const { recovered, gone, goneElsewhere, watched } = carried;
    const left = leftBehind(carried);
    if (left !== undefined) {
      outcomes.set(taskNo, { taskNo, ...left, previewedRows: null });
      return undefined;
    }
    const alreadyGone = addCounts(
      (isSame && before?.alreadyGone) || byName<number>(),
      carried.alreadyGone,
    );
    const merged = mergeIntent(found, carried, isSame ? before : undefined, alreadyGone);
    const isRecovered = totalOf(recovered) > 0;
    const earlier = task.reported ?? byName<never>();
    const hasErasedBefore = carried.isErased || isRecovered || totalOf(reportedRows(earlier)) > 0;
    const mayHaveErased = before?.state === 'erasing' && settlement === undefined;
    const isKept = hasErasedBefore || mayHaveErased;
    const intended = withVouched(merged, vouched, isKept ? before : undefined);
    const held = guard(intended, target, task.allowedRows);
    if (held !== undefined)
      outcomes.set(taskNo, { taskNo, ...held, previewedRows: totalOf(intended.counts) });
    const { keys, counts, layout, unnamedParents } = intended;
    return {
      task,
      subject,
      intended,
      found,
      erased: undefined,
      order: {
        ...subject,
        keys,
        counts,
        gone: withoutKeys(gone, goneElsewhere, layout),
        ...(hasRows(goneElsewhere) && { goneElsewhere }),
        ...(unnamedParents !== undefined && { unnamedParents }),
        ...(hasRows(watched) && { watched }),
        ...(layout !== undefined && { layout }),
      },
      alreadyGone,
      again: addCounts(countKeys(commonKeys(keys, gone, layout)), carried.again),
      reportedBefore: isRecovered
        ? addRecovered(
            earlier,
            recovered,
            { layout: before?.layout, detached: carried.recoveredDetached },
            target,
          )
        : earlier,
      unnamed: isSame ? new Set() : unnamedIn(found.layout, before?.layout),
      isRecovered,
      mayHaveErased,
      cutOff: (mayHaveErased && before?.counts) || byName<number>(),
      isSamePlan: isSame,
      hasErasedBefore,
      vouchedNow: vouched,
    };
  }

  async function previewAll(
    target: TargetConfig,
    tasks: readonly TriedTask[],
    connector: Connector,
    outcomes: Outcomes,
  ): Promise<Case[]> {
    const settlements = await settleIntents(connector, target, tasks);
    const own = { target, connector };
    const { proven: opened, previews } = await previewProven(own, tasks, settlements);
    const begun = opened.filter(({ before }) => before?.state === 'erasing');
    const others =
      begun.length === 0 ? new Map() : await store.erasedBefore(begun.map(askFor(digestAcross)));
    return opened.flatMap((one, index) => {
      const isAnothers = (others.get(one.task.taskNo) ?? []).length > 0;
      const [settlement, preview] = [settlements[index], previews[index]];
      const isAtomic = connector.isAtomic === true;
      return decide(one, settlement, preview, isAnothers, target, outcomes, isAtomic) ?? [];
    });
  }

  /** Answers those that have more rows than their intents: they were not touched. */
  async function erase(
    batch: LeasedBatch,
    target: TargetConfig,
    cases: readonly Case[],
    connector: Connector,
    outcomes: Outcomes,
    reported: Reported,
  ): Promise<Case[]> {
    // What is held is on record too: its rows must not be forgotten while a person decides.
    const open = cases.filter(({ task }) => !outcomes.has(task.taskNo));
    const found = open.filter(
      ({ intended }) => totalOf(intended.counts) > 0 || hasRows(intended.watched),
    );
    const allowed = found.length === 0 ? [] : await applyLimits(batch, target, found, outcomes);
    const erasing = new Set(allowed.map(taskNoOf));
    // Fenced as well: a worker that has lost its batch stops here, before it changes anything.
    // An intent whose end is not known yet stays, until an attempt erases: what it may have erased is in no other.
    const known = cases.filter(
      ({ task, mayHaveErased }) => erasing.has(task.taskNo) || !mayHaveErased,
    );
    const stateOf = (taskNo: number) => (erasing.has(taskNo) ? 'erasing' : 'recorded');
    const intents = sealIntents(keysVault, batch.target, target.planDigest, known, stateOf);
    await store.recordIntents(batch, intents, clock());
    const erasures =
      allowed.length === 0 ? [] : await connector.erase(allowed.map(({ order }) => order));
    const grown: Case[] = [];
    // A target without transactions may have erased a part before it refused: its refusal is not enough.
    const untouched = (one: Case) => (connector.isAtomic ? asBefore(one) : undefined);
    const keepReported = (one: Case, counts: Counts, now: DetachedNow = {}) => {
      const { task, intended, reportedBefore, again, unnamed, mayHaveErased } = one;
      const isExact = addsUp(connector, one);
      const erased = countOnce(counts, again);
      const detached = countDetached(reportedBefore, intended.detachedBefore ?? byName(), now);
      const all = { erased, detached, intended: intended.counts, isExact, unnamed };
      const tables = addReported(reportedBefore, all, target);
      reported.set(task.taskNo, { tables, isAll: !mayHaveErased });
    };
    for (const [index, one] of allowed.entries()) {
      const erasure = erasures[index];
      const { taskNo } = one.task;
      // Not left to the verification: rows gone without a reported count are not evidence.
      if (erasure === undefined) failIn(outcomes)(one.task, NO_ANSWER);
      else if (erasure.outcome === 'erased') {
        applyErased(one, erasure);
        keepReported(one, erasure.counts, erasure);
      } else if (erasure.outcome === 'grown') grown.push(one);
      else if (erasure.outcome === 'failed') failIn(outcomes)(one.task, erasure, untouched(one));
      else {
        const { erased, ...held } = erasure;
        if (erased !== undefined) keepReported(one, erased);
        const previewedRows = totalOf(one.intended.counts);
        // Held without a report: the target has left it to a person, and touched nothing.
        outcomes.set(taskNo, { taskNo, ...held, previewedRows, intent: 'recorded' });
      }
    }
    const isTouched = ({ task }: Case) => reported.has(task.taskNo) || !outcomes.has(task.taskNo);
    const touched = known.filter(isTouched);
    const own = { batch, target, connector, reported };
    for (const [{ task }, failure] of await keepVouched(own, touched, stateOf))
      if (!outcomes.has(task.taskNo)) failIn(outcomes)(task, failure);
    return grown;
  }

  return async (run: BatchRun): Promise<void> => {
    const { batch, target, connector, accepted, outcomes, reported } = run;
    const fail = failIn(outcomes);
    let waiting = open(batch, fail);
    const done: Case[] = [];
    for (let round = 1; waiting.length > 0; round++) {
      const cases = await previewAll(target, waiting, connector, outcomes);
      const grown = await erase(batch, target, cases, connector, outcomes, reported);
      done.push(...cases.filter((one) => !outcomes.has(one.task.taskNo) && !grown.includes(one)));
      if (round === MAX_PREVIEWS) {
        for (const one of grown) fail(one.task, KEEPS_GROWING, asBefore(one));
        break;
      }
      waiting = grown.map(againOf);
    }
    await verifyCases({ batch, target, connector, accepted, outcomes, fail }, done);
  };
}

const taskNoOf = ({ task }: { readonly task: LeasedTask }) => task.taskNo;

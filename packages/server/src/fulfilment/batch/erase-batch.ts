// The steps of a batch: ask how earlier attempts ended, preview, guard, limits and pauses, intent, erase, verify,
// evidence. Every task has its own outcome.
import { byName } from '../../domain/by-name.ts';
import type { Clock } from '../../domain/clock.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import {
  type Connector,
  type Counts,
  type ErasingTransaction,
  NO_ANSWER,
  totalOf,
} from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import type { Backoff } from '../../domain/task/backoff.ts';
import type { FulfilmentStore, LeasedBatch } from '../../domain/task/fulfilment-ports.ts';
import type { Tables } from '../../domain/task/task.ts';
import { countDetached, type DetachedNow } from '../evidence/detached-rows.ts';
import { countOnce } from '../evidence/make-evidence.ts';
import { addReported, type Reported } from '../evidence/reported-rows.ts';
import type { Accepted } from '../gate/gate.ts';
import { timesOf } from '../intent/carry-on.ts';
import type { KeysVaultPort } from '../intent/intents.ts';
import { openIntent, sealIntents } from '../intent/intents.ts';
import type { GuardParts } from '../lookup/guard-lookups.ts';
import { createPreviewProven } from '../lookup/preview-proven.ts';
import type { LookupParts } from '../lookup/prove-looked-up.ts';
import { CANNOT_OPEN, openSubjects } from '../open-subjects.ts';
import { createApplyLimits } from './apply-limits.ts';
import { createAskEnds } from './ask-ends.ts';
import type { DigestAcross } from './ask-others.ts';
import {
  addsUp,
  type Case,
  createFailIn,
  type FailTask,
  KEEPS_GROWING,
  type Outcomes,
  untouched,
} from './case.ts';
import { applyErased } from './count-again.ts';
import { createDecideCase } from './decide-case.ts';
import { againOf, type TriedTask } from './tried-task.ts';
import { createVerifyCases } from './verify-cases.ts';

type Digests = ReadonlyMap<number, readonly Uint8Array[]>;

export interface EraseParts extends LookupParts, GuardParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly keysVault: KeysVaultPort;
  readonly digestAcross: DigestAcross;
  readonly digestAll: DigestAcross;
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

/** How often rows may be added between preview and erasing before the task waits for a later attempt. */
const MAX_PREVIEWS = 3;
/** How long recording a transaction may take while the target's rows are locked. */
const RECORD_MS = 5000;
/** How long a commit may take before another worker can take the batch over. */
const COMMIT_MS = 30_000;

export function createEraseBatch(parts: EraseParts) {
  const { store, clock, backoff, openIdentities, keysVault, digestAll } = parts;
  const askEnds = createAskEnds(store, clock);
  const applyLimits = createApplyLimits(store, clock);
  const verifyCases = createVerifyCases(parts);
  const previewProven = createPreviewProven(parts);

  const failIn = createFailIn(clock, backoff);
  const decide = createDecideCase({ clock, failIn });

  function open(batch: LeasedBatch, fail: FailTask): TriedTask[] {
    return openSubjects(batch, openIdentities, fail).flatMap((opened) => {
      try {
        const before = openIntent(keysVault, batch.target, opened.task);
        return [{ ...opened, subject: { ...opened.subject, times: timesOf(before) }, before }];
      } catch {
        fail(opened.task, CANNOT_OPEN);
        return [];
      }
    });
  }

  async function previewAll(
    { target, connector, outcomes }: BatchRun,
    tasks: readonly TriedTask[],
  ): Promise<Case[]> {
    const { proven: opened, previews } = await previewProven({ target, connector }, tasks);
    return opened.flatMap((one, index) => decide(one, previews[index], target, outcomes) ?? []);
  }

  /** Of all identities, also of those that were looked up: a legal hold may name one of them. */
  const digestsOf = ({ subject }: Case): [number, Uint8Array[]] => {
    const { taskNo, controllerId, identities } = subject;
    return [taskNo, identities.flatMap((identity) => digestAll(controllerId, identity))];
  };

  /** A worker that hung since its intents were recorded finds out here, before it commits anything. */
  function record(
    { batch, connector, target }: BatchRun,
    cases: readonly Case[],
    digests: Digests,
    { name, erasures }: ErasingTransaction,
  ): Promise<void> {
    const byTask = new Map(cases.map((one) => [one.task.taskNo, one]));
    const tables = new Map(
      erasures.flatMap(({ taskNo, erasure }): [number, Tables][] => {
        const one = byTask.get(taskNo);
        if (one === undefined || erasure.outcome !== 'erased') return [];
        // The transaction may still be rolled back, so the case itself stays unchanged.
        const erased = { ...one };
        applyErased(erased, erasure);
        const isMost = connector.isAtomic !== true || addsUp(connector, erased);
        return [[taskNo, reportOf(target, erased, erasure.counts, erasure, isMost)]];
      }),
    );
    const now = clock();
    const recording = store.recordTransaction(
      batch,
      { name, tables, digests },
      now + COMMIT_MS,
      now,
    );
    return withinRecordTime(recording);
  }

  /** Returns the tasks that have more rows than their intents: they were not touched. */
  async function erase(run: BatchRun, cases: readonly Case[]): Promise<Case[]> {
    const { batch, target, connector, outcomes, reported } = run;
    // Intents of held tasks are recorded too: their rows must stay known while an operator decides.
    const open = cases.filter(({ task }) => !outcomes.has(task.taskNo));
    const found = open.filter(({ intended }) => totalOf(intended.counts) > 0);
    const digests: Digests = new Map(found.map(digestsOf));
    const allowed =
      found.length === 0 ? [] : await applyLimits(batch, target, found, outcomes, digests);
    // Recording is fenced: a worker that has lost its batch stops here, before it changes anything.
    const intents = sealIntents(keysVault, batch.target, target.planDigest, cases);
    await store.recordIntents(batch, intents, clock());
    const orders = allowed.map(({ order }) => order);
    const erasures =
      orders.length === 0
        ? []
        : await connector.erase(orders, (transaction) =>
            record(run, allowed, digests, transaction),
          );
    const grown: Case[] = [];
    // A target without transactions may have erased a part before it refused, so a refusal proves nothing.
    const refused = (one: Case) => (connector.isAtomic ? untouched(one) : undefined);
    const keepReported = (one: Case, counts: Counts, now: DetachedNow = {}) => {
      reported.set(one.task.taskNo, () =>
        reportOf(target, one, counts, now, addsUp(connector, one)),
      );
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
      else if (erasure.outcome === 'failed') failIn(outcomes)(one.task, erasure, refused(one));
      else {
        const { erased, ...held } = erasure;
        if (erased !== undefined) keepReported(one, erased);
        const previewedRows = totalOf(one.intended.counts);
        // Held without a report: the target leaves the decision to an operator and has touched nothing.
        outcomes.set(taskNo, { taskNo, ...held, previewedRows, ...untouched(one) });
      }
    }
    return grown;
  }

  return async (run: BatchRun): Promise<void> => {
    const { batch, target, connector, accepted, outcomes } = run;
    const fail = failIn(outcomes);
    const tasks = await askEnds({ batch, target, connector, outcomes, fail });
    let waiting = open({ ...batch, tasks }, fail);
    const done: Case[] = [];
    for (let round = 1; waiting.length > 0; round++) {
      const cases = await previewAll(run, waiting);
      const grown = await erase(run, cases);
      done.push(...cases.filter((one) => !outcomes.has(one.task.taskNo) && !grown.includes(one)));
      if (round === MAX_PREVIEWS) {
        for (const one of grown) fail(one.task, KEEPS_GROWING, untouched(one));
        break;
      }
      waiting = grown.map((one) => againOf(one, target.planDigest));
    }
    await verifyCases({ batch, target, connector, accepted, outcomes, fail }, done);
  };
}

/** Rows that all attempts have erased, if this one ends as it says. */
function reportOf(
  target: TargetConfig,
  one: Case,
  counts: Counts,
  now: DetachedNow,
  isExact: boolean,
): Tables {
  const { intended, reportedBefore, again, unrecognised } = one;
  const all = {
    erased: countOnce(counts, again),
    treated: counts,
    detached: countDetached(reportedBefore, intended.detachedBefore ?? byName(), now),
    intended: intended.counts,
    isExact,
    unrecognised,
  };
  return addReported(reportedBefore, all, target);
}

/** The target's rows are locked meanwhile. A record that comes too late only says what did not happen. */
async function withinRecordTime(recording: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new StoreUnavailable('the store did not record a transaction in time')),
    RECORD_MS,
  );
  try {
    await Promise.race([recording, late]);
  } finally {
    clearTimeout(timer);
  }
}

// The steps of a batch: ask how earlier attempts ended, prove looked-up identities, erase (find, decide, change, record), verify,
// evidence. Every task has its own outcome.
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
import type { Backoff } from '../../domain/task/backoff.ts';
import type {
  FulfilmentStore,
  LeasedBatch,
  NewIntent,
} from '../../domain/task/fulfilment-ports.ts';
import type { Tables } from '../../domain/task/task.ts';
import { countDetached, type DetachedNow } from '../evidence/detached-rows.ts';
import { countOnce } from '../evidence/make-evidence.ts';
import { addReported, type Reported } from '../evidence/reported-rows.ts';
import type { Accepted } from '../gate/gate.ts';
import { timesOf } from '../intent/carry-on.ts';
import type { KeysVaultPort } from '../intent/intents.ts';
import { openIntent, sealIntents } from '../intent/intents.ts';
import type { GuardParts } from '../lookup/guard-lookups.ts';
import type { LookupParts } from '../lookup/prove-looked-up.ts';
import { createProveTasks, type ProvenBy } from '../lookup/prove-tasks.ts';
import { CANNOT_OPEN, openSubjects } from '../open-subjects.ts';
import { createAskEnds } from './ask-ends.ts';
import type { DigestAcross } from './ask-others.ts';
import {
  addsUp,
  type Case,
  createFailIn,
  type FailTask,
  KEEPS_CHANGING,
  type Outcomes,
  untouched,
} from './case.ts';
import { createDecideCase } from './decide-case.ts';
import { forCalls, isCalled, type OpenVia } from './for-calls.ts';
import { createRecordErasing } from './record-erasing.ts';
import { againOf, type TriedTask } from './tried-task.ts';
import { createVerifyCases } from './verify-cases.ts';

export interface EraseParts extends LookupParts, GuardParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly keysVault: KeysVaultPort;
  readonly digestAcross: DigestAcross;
  readonly digestAll: DigestAcross;
  readonly openVia: OpenVia;
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
  /** Of tasks of which nothing was recorded at the target. */
  readonly intents: NewIntent[];
}

/** How often a task begins anew in one attempt. */
const MAX_ROUNDS = 3;

export function createEraseBatch(parts: EraseParts) {
  const { store, clock, backoff, openIdentities, keysVault } = parts;
  const askEnds = createAskEnds(store, clock);
  const verifyCases = createVerifyCases(parts);
  const proveTasks = createProveTasks(parts);
  const recordErasing = createRecordErasing(parts);
  const failIn = createFailIn(clock, backoff);
  const decideCase = createDecideCase({ clock, failIn });

  function open({ batch, target, connector }: BatchRun, fail: FailTask): TriedTask[] {
    return openSubjects(batch, openIdentities, fail).flatMap((opened) => {
      try {
        const before = openIntent(keysVault, batch.target, opened.task);
        const own =
          connector.isAtomic === true
            ? { times: timesOf(before) }
            : forCalls(opened.task, before, target, parts.openVia);
        return [{ ...opened, subject: { ...opened.subject, ...own }, before }];
      } catch {
        fail(opened.task, CANNOT_OPEN);
        return [];
      }
    });
  }

  /** Returns the tasks that begin anew: nothing of them was touched. Fills in `cases`, by task number. */
  async function erase(
    run: BatchRun,
    tasks: readonly TriedTask[],
    cases: Map<number, Case>,
  ): Promise<Again> {
    const { batch, target, connector, outcomes, reported } = run;
    const proven = new Map(
      (await proveTasks({ target, connector }, tasks)).map((one) => [one.task.taskNo, one]),
    );

    /** Asked again, the last answer counts. */
    function decide(taskNo: number, preview: Preview | undefined): Case | undefined {
      const one = proven.get(taskNo);
      if (one === undefined || preview === undefined) return undefined;
      outcomes.delete(taskNo);
      cases.delete(taskNo);
      const answer = preview.outcome === 'found' ? (one.guarded ?? preview) : preview;
      const decided = decideCase(one, answer, target, outcomes);
      if (decided !== undefined) cases.set(taskNo, decided);
      return outcomes.has(taskNo) ? undefined : decided;
    }

    // Nothing is erased for these: no transaction that could change something is begun.
    const isLooked = ({ task, known, guarded }: ProvenBy & TriedTask) =>
      known !== undefined ||
      guarded !== undefined ||
      (target.mode === 'preview' && task.allowedRows === null);
    const [looked, going] = partition([...proven.values()], isLooked);
    const unknown = looked.filter(({ known }) => known === undefined);
    const previews = unknown.length === 0 ? [] : await connector.preview(unknown.map(subjectOf));
    for (const { task, known } of looked) if (known !== undefined) decide(task.taskNo, known);
    for (const [place, { task }] of unknown.entries())
      decide(task.taskNo, previews[place] ?? NO_ANSWER);
    if (going.length === 0) return { tasks: [], isTrimmed: false };
    let isTrimmed = false;

    const erasures = await connector.erase(going.map(subjectOf), {
      decide: (subjects, found) =>
        subjects.flatMap(({ taskNo }, place) => decide(taskNo, found[place])?.order ?? []),
      async record(transaction) {
        const mayErase = await recordErasing(
          {
            batch,
            target,
            cases,
            outcomes,
            tablesOf: (one, erased) => {
              const all = { ...one, erased };
              const isMost = connector.isAtomic !== true || addsUp(connector, all);
              return reportOf(target, all, erased.counts, erased, isMost);
            },
          },
          transaction,
        );
        if (!mayErase) isTrimmed = true;
        return mayErase;
      },
    });
    const again: TriedTask[] = [];
    const keepReported = (one: Case, counts: Counts, now: DetachedNow = {}) => {
      reported.set(one.task.taskNo, () =>
        reportOf(target, one, counts, now, addsUp(connector, one)),
      );
    };
    for (const [place, tried] of going.entries()) {
      const { task } = tried;
      const { taskNo } = task;
      const one = cases.get(taskNo);
      const erasure = erasures[place] ?? NO_ANSWER;
      // A target without transactions may have erased a part before it refused, so a refusal proves nothing.
      const isUntouched =
        connector.isAtomic === true || (erasure.outcome === 'failed' && erasure.isVoid === true);
      const stands = one && isUntouched ? untouched(one) : undefined;
      const mayHaveErased = 'mayHaveErased' in erasure && erasure.mayHaveErased === true;
      switch (erasure.outcome) {
        case 'erased':
          if (one === undefined || totalOf(one.found.counts) === 0) break;
          one.erased = erasure;
          keepReported(one, erasure.counts, erasure);
          break;
        case 'left_out':
        case 'grown':
          if (!outcomes.has(taskNo)) again.push(againOf(tried, one));
          break;
        case 'failed':
          failIn(outcomes)(task, erasure, mayHaveErased ? undefined : stands);
          break;
        case 'held': {
          const { erased, mayHaveErased: _, rows, ...held } = erasure;
          if (one !== undefined && erased !== undefined) keepReported(one, erased);
          const previewedRows = one === undefined ? (rows ?? null) : totalOf(one.intended.counts);
          // Held without a report: the target leaves the decision to an operator and has touched nothing.
          const unchanged = mayHaveErased ? undefined : one && untouched(one);
          outcomes.set(taskNo, { taskNo, ...held, previewedRows, ...unchanged });
        }
      }
    }
    return { tasks: again, isTrimmed };
  }

  async function eraseAll(run: BatchRun, cases: Map<number, Case>): Promise<void> {
    const { batch, target, connector, accepted, outcomes } = run;
    const fail = failIn(outcomes);
    const tasks = await askEnds({ batch, target, connector, outcomes, fail });
    let waiting = open({ ...run, batch: { ...batch, tasks } }, fail);
    for (let rounds = 0; waiting.length > 0 && rounds < MAX_ROUNDS; ) {
      const { tasks: again, isTrimmed } = await erase(run, waiting, cases);
      // Each time, somebody waits for another day: this comes to an end.
      if (!isTrimmed || again.length === waiting.length) rounds++;
      waiting = again;
    }
    for (const { task } of waiting) {
      const one = cases.get(task.taskNo);
      fail(task, KEEPS_CHANGING, one && untouched(one));
    }
    const done = [...cases.values()].filter(({ task }) => !outcomes.has(task.taskNo));
    await verifyCases({ batch, target, connector, accepted, outcomes, fail }, done);
  }

  /** Adds the intents of tasks of which nothing was recorded: what was found stays known. */
  return async (run: BatchRun): Promise<void> => {
    const { batch, target, outcomes, reported, intents } = run;
    const cases = new Map<number, Case>();
    try {
      await eraseAll(run, cases);
    } finally {
      const left = [...cases.values()].filter(
        (one) =>
          outcomes.get(one.task.taskNo)?.outcome !== 'erased' &&
          !reported.has(one.task.taskNo) &&
          !isCalled(one),
      );
      intents.push(...sealIntents(keysVault, batch.target, target.planDigest, left));
    }
  };
}

interface Again {
  readonly tasks: TriedTask[];
  /** Some may not be erased now: the others are tried without them. */
  readonly isTrimmed: boolean;
}

const subjectOf = ({ subject }: TriedTask) => subject;

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
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

// After rows were erased, written down with the intent for the other targets of the request: which looked-up identities are
// not given any more, and which rows still have their values. What counted before and is not given now was proven by rows that
// this request has erased.
import type { Clock } from '../../domain/clock.ts';
import type { Identity } from '../../domain/request/identity.ts';
import type { Failed } from '../../domain/target/connector.ts';
import type {
  FulfilmentStore,
  IntentState,
  LeasedBatch,
  Vouched,
} from '../../domain/task/fulfilment-ports.ts';
import type { Case } from '../batch/case.ts';
import type { Reported } from '../evidence/reported-rows.ts';
import { sealIntents } from '../intent/intents.ts';
import { nameOf } from '../open-subjects.ts';
import { createAskSource, type OwnTarget } from './ask-source.ts';
import { aloneIn, createProveLookedUp, type LookupParts } from './prove-looked-up.ts';
import { keyOf } from './vouched.ts';

export interface KeepVouchedParts extends LookupParts {
  readonly store: FulfilmentStore;
  readonly clock: Clock;
}

interface Attempt extends OwnTarget {
  readonly batch: LeasedBatch;
  /** What it has erased, by the number of the task. */
  readonly reported: Reported;
}

interface Unsettled {
  readonly one: Case;
  readonly vouched: Vouched;
  /** This attempt went by it, and has erased. */
  readonly isOfThis: boolean;
}

interface Gone extends Unsettled {
  readonly identity: Identity;
  /** All identities of the request. */
  readonly all: readonly Identity[];
}

interface SettledOne {
  readonly one: Case;
  readonly vouched: Vouched;
  readonly left: readonly string[];
}

export function createKeepVouched(parts: KeepVouchedParts) {
  const { store, clock, keysVault } = parts;
  const proveLookedUp = createProveLookedUp(parts);
  const ask = createAskSource(parts);

  /** What the case is to vouch for, as far as that is not settled. */
  function unsettledOf(hasErased: boolean, one: Case): Unsettled[] {
    const isNow = new Set(hasErased ? one.vouchedNow.map(keyOf) : []);
    return (one.intended.vouched ?? []).flatMap((vouched) => {
      const isOfThis = isNow.has(keyOf(vouched));
      const hasErasedBefore = one.hasErasedBefore || (hasErased && one.mayHaveErased);
      const isOfEarlier = vouched.settled === undefined && hasErasedBefore;
      return isOfThis || isOfEarlier ? [{ one, vouched, isOfThis }] : [];
    });
  }

  /** By the rows that have the values now. */
  async function settle(
    own: OwnTarget,
    gone: readonly Gone[],
    failed: Map<Case, Failed>,
  ): Promise<SettledOne[]> {
    const settled: SettledOne[] = [];
    for (const [source, some] of Map.groupBy(gone, ({ vouched }) => vouched.source)) {
      const by = some.map(({ one, all }) => ({ ...one.subject, identities: all }));
      const listed = await ask(own, source, (connector) => connector.listed?.(by));
      const subjects = some.map(({ one, identity }) => aloneIn(one.subject, identity));
      const rows = await ask(own, source, (connector) => connector.rowsWith?.(subjects));
      if (rows.outcome === 'failed' || listed.outcome === 'failed') {
        const failure = rows.outcome === 'failed' ? rows : (listed as Failed);
        for (const { one } of some) failed.set(one, failure);
        continue;
      }
      some.forEach(({ one, vouched, isOfThis }, place) => {
        const left = rows.answers[place];
        // A row that is there and gives something else was corrected, and not erased.
        const isThere =
          listed.answers[place]?.some(({ key }) => vouched.gave.includes(key)) ?? true;
        if (isThere) return;
        // Of an attempt that was cut off, it is not known which rows had it then.
        if (left !== undefined) settled.push({ one, vouched, left: isOfThis ? left : [] });
      });
    }
    return settled;
  }

  /** Answers those for which a target could not be asked: they are to be tried again. `stateOf`: of their intents. */
  return async (
    { batch, reported, ...own }: Attempt,
    cases: readonly Case[],
    stateOf: (taskNo: number) => IntentState,
  ): Promise<ReadonlyMap<Case, Failed>> => {
    const failed = new Map<Case, Failed>();
    const unsettled = cases.flatMap((one) => unsettledOf(reported.has(one.task.taskNo), one));
    if (unsettled.length === 0) return failed;
    const vouching = [...new Set(unsettled.map(({ one }) => one))];
    const proofs = await proveLookedUp(own, vouching, { isTrusting: false });
    const gone = unsettled.flatMap((it) => {
      const { stopped, unproven = [] } = proofs.get(it.one.task.taskNo) ?? {};
      const identity = unproven.find((one) => nameOf(one) === it.vouched.name);
      const all = [...it.one.subject.identities, ...unproven];
      if (stopped?.outcome === 'failed') failed.set(it.one, stopped);
      return stopped === undefined && identity !== undefined ? [{ ...it, identity, all }] : [];
    });
    const settled = Map.groupBy(await settle(own, gone, failed), ({ one }) => one);
    const others = await store.otherErasures(vouching.map(({ task }) => task.taskNo));
    const known = vouching.map((one) => {
      const { taskNo } = one.task;
      const numbers = others.flatMap((it) => (it.taskNo === taskNo ? it.otherNo : []));
      const at = { time: clock(), lastTaskNo: Math.max(taskNo, ...numbers) };
      const left = new Map(settled.get(one)?.map((it) => [it.vouched, it.left]));
      const asked = new Set(failed.has(one) ? [] : unsettled.map(({ vouched: it }) => it));
      const vouched = one.intended.vouched?.flatMap((it) => {
        const rows = left.get(it);
        if (rows !== undefined) {
          const lastTaskNo = Math.min(at.lastTaskNo, it.upToTaskNo ?? at.lastTaskNo);
          return [{ ...it, settled: { ...at, lastTaskNo, left: rows } }];
        }
        // What is still given was not erased by this attempt. If it is gone later, it was not this request either.
        return asked.has(it) ? [] : [it];
      });
      return { ...one, intended: { ...one.intended, vouched } };
    });
    const { planDigest } = own.target;
    const intents = sealIntents(keysVault, batch.target, planDigest, known, stateOf);
    await store.recordIntents(batch, intents, clock());
    return failed;
  };
}

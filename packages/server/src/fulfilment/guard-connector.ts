// A wrapper around every connector: it passes frozen copies in, accepts an answer only if its numbers can be
// added up, and turns everything that is thrown into a failure of the target.
import { byName } from '../domain/by-name.ts';
import { StoreUnavailable } from '../domain/store/store-unavailable.ts';
import {
  type Connector,
  type Counts,
  type Erasure,
  type Failed,
  type Preview,
  TargetDown,
  type Verdict,
} from '../domain/target/connector.ts';
import { canBeCounted } from '../domain/target/countable.ts';
import { frozenSubjects } from '../domain/target/frozen-subjects.ts';
import { Fenced } from '../domain/task/fulfilment-ports.ts';

export function guardConnector(connector: Connector, drop: () => Promise<void>): Connector {
  const { describePlan, gate, resolve, endOf } = connector;
  return {
    ...(connector.isAtomic !== undefined && { isAtomic: connector.isAtomic }),
    check: () => asTargetDown(() => connector.check(), drop),
    preview: async (subjects) =>
      (await asTargetDown(() => connector.preview(frozenSubjects(subjects)), drop)).map(
        takePreview,
      ),
    erase: async (subjects, { decide, record }) =>
      (
        await asTargetDown(
          () =>
            connector.erase(frozenSubjects(subjects), {
              decide: (asked, previews) => frozenSubjects(decide(asked, previews.map(takePreview))),
              record,
            }),
          drop,
        )
      ).map(takeErasure),
    verify: async (orders) =>
      (await asTargetDown(() => connector.verify(frozenSubjects(orders)), drop)).map(takeVerdict),
    close: () => connector.close(),
    ...(describePlan !== undefined && {
      describePlan: () => asTargetDown(() => describePlan.call(connector), drop),
    }),
    ...(gate !== undefined && { gate: () => asTargetDown(() => gate.call(connector), drop) }),
    ...(endOf !== undefined && {
      endOf: (names) => asTargetDown(() => endOf.call(connector, names), drop),
    }),
    ...(resolve !== undefined && {
      resolve: (subjects) =>
        asTargetDown(() => resolve.call(connector, frozenSubjects(subjects)), drop),
    }),
  };
}

/** Any error of a connector means that its target is down. Its text is dropped, because it may quote data. */
export async function asTargetDown<T>(
  work: () => Promise<T>,
  onTrouble?: () => Promise<void>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await onTrouble?.();
    if (error instanceof TargetDown || isTheStores(error)) throw error;
    // An error can have any name; one that does not look like a class name may contain data.
    const given = error instanceof Error ? error.name : '';
    const name = /^[A-Za-z]{1,40}Error$|^Error$/.test(given) ? given : 'unknown';
    throw new TargetDown('connector_error', `the connector failed unexpectedly (${name})`);
  }
}

/** Thrown by what is asked before the commit: not the target's fault. */
function isTheStores(error: unknown): boolean {
  return error instanceof Fenced || error instanceof StoreUnavailable;
}

function takePreview(preview: Preview): Preview {
  if (preview.outcome !== 'found') return preview;
  const { counts, retained, keys } = preview;
  if (!canBeCounted(counts) || !canBeCounted(retained)) return UNCOUNTABLE;
  return {
    ...preview,
    counts: withoutPrototype(counts),
    retained: withoutPrototype(retained),
    keys: withoutPrototype(keys),
  };
}

function takeErasure(erasure: Erasure): Erasure {
  if (erasure.outcome === 'erased') return takeCounted(erasure);
  if (erasure.outcome !== 'held' || erasure.erased === undefined) return erasure;
  if (!canBeCounted(erasure.erased)) return UNCOUNTABLE;
  return { ...erasure, erased: withoutPrototype(erasure.erased) };
}

function takeVerdict(verdict: Verdict): Verdict {
  return verdict.outcome === 'remains' ? takeCounted(verdict) : verdict;
}

function takeCounted<T extends { readonly counts: Counts }>(answer: T): T | Failed {
  if (!canBeCounted(answer.counts)) return UNCOUNTABLE;
  return { ...answer, counts: withoutPrototype(answer.counts) };
}

function withoutPrototype<T>(named: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.getPrototypeOf(named) === null ? named : byName(Object.entries(named));
}

const UNCOUNTABLE: Failed = {
  outcome: 'failed',
  code: 'bad_answer',
  detail: 'the connector answered row counts that cannot be added up',
};

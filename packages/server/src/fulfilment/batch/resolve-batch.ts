// Before any target erases: looks up one type of identity by another, and seals it with the request. A new
// identity makes the other lookups run again, until nothing new is found.

import type { Clock } from '../../domain/clock.ts';
import type { Identity } from '../../domain/request/identity.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import type { Connector, Failed } from '../../domain/target/connector.ts';
import type { Backoff } from '../../domain/task/backoff.ts';
import type {
  DerivedIdentities,
  LeasedBatch,
  LeasedTask,
  SealedBytes,
} from '../../domain/task/fulfilment-ports.ts';
import type { TaskOutcome } from '../../domain/task/task.ts';
import { type WithoutLookupStore, withoutLookup } from '../lookup/without-lookup.ts';
import { givenOf, nameOf, type OpenIdentities, openSubjects } from '../open-subjects.ts';

export interface ResolveParts {
  readonly store: WithoutLookupStore;
  readonly clock: Clock;
  readonly backoff: Backoff;
  readonly openIdentities: OpenIdentities;
  readonly sealIdentities: (request: RequestKey, identities: readonly Identity[]) => SealedBytes;
}

export function createResolveBatch(parts: ResolveParts) {
  const { store, clock, backoff, openIdentities, sealIdentities } = parts;

  return async (
    batch: LeasedBatch,
    connector: Connector,
    outcomes: Map<number, TaskOutcome>,
  ): Promise<DerivedIdentities[]> => {
    function fail({ taskNo, attempts }: LeasedTask, { code, detail }: Omit<Failed, 'outcome'>) {
      const dueTime = clock() + backoff.retry(attempts);
      outcomes.set(taskNo, { taskNo, outcome: 'failed', code, detail, dueTime });
    }

    const opened = openSubjects(batch, openIdentities, fail);
    const resolutions =
      connector.resolve === undefined
        ? await withoutLookup(store, batch.target, opened)
        : await connector.resolve(opened.map(({ subject }) => subject));
    return opened.flatMap(({ task, subject }, index) => {
      const { taskNo } = task;
      const resolution = resolutions[index];
      if (resolution === undefined) return [];
      if (resolution.outcome === 'held') {
        outcomes.set(taskNo, { taskNo, ...resolution, previewedRows: null });
        return [];
      }
      if (resolution.outcome === 'failed') {
        fail(task, resolution);
        return [];
      }
      outcomes.set(taskNo, { taskNo, outcome: 'resolved', openedSets: task.identities.length });
      // An identity that another target found too is kept for both: it counts while one of them gives it.
      const given = givenOf(task, openIdentities);
      const known = new Set([...given, ...(subject.lookedUp ?? [])].map(nameOf));
      const identities = resolution.identities.filter((identity) => !known.has(nameOf(identity)));
      return identities.length === 0 ? [] : [{ taskNo, sealed: sealIdentities(task, identities) }];
    });
  };
}
